// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Discovery

/// etcd as a script, without a clock: no test waits.
@Suite("Following a list")
struct EtcdStateTests {
    private var random = SeededRandom(seed: 1)
    private static let value = Array("{\"url\": \"10.1.2.3\"}".utf8)

    private func silence(of members: Int) -> SourceFault {
        SourceFault(code: .etcdSilent, servers: (1...members).map { "http://10.0.0.\($0):2379" })
    }

    private func list(servers: Int = 1, user: String? = nil) throws -> EtcdList {
        var list = EtcdList(
            name: "fleet",
            servers: try (0..<servers).map { try ServerURL(completing: "http://10.0.0.\($0 + 1):2379") },
            prefix: "/fleet"
        )
        list.user = user.map { EtcdUser(name: $0, passwordFile: "/nowhere") }
        return list
    }

    private func pair(_ name: String) -> EtcdPair {
        EtcdPair(key: Array("/fleet/\(name)".utf8), value: Self.value)
    }

    private func position(_ revision: Int64, cluster: String = "c") -> EtcdPosition {
        EtcdPosition(cluster: cluster, revision: revision)
    }

    private func page(_ names: [String], _ revision: Int64, more: Bool = false) -> EtcdPage {
        EtcdPage(position: position(revision), pairs: names.map(pair), hasMore: more)
    }

    private func created(_ revision: Int64, cluster: String = "c") -> EtcdNews {
        EtcdNews(position: position(revision, cluster: cluster), isCreated: true)
    }

    private func names(_ state: EtcdState) -> [String] {
        state.contents.entries.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// A list of `one` and `two` at revision 7, with a running watch.
    private mutating func watching(servers: Int = 1, user: String? = nil) throws -> EtcdState {
        var state = EtcdState(try list(servers: servers, user: user), limits: EtcdLimits())
        _ = state.start()
        if user != nil { _ = state.authenticated() }
        _ = state.listed(page(["one", "two"], 7))
        _ = state.heard(created(7), using: &random)
        return state
    }

    private static let listing = EtcdState.Action.list(after: nil, revision: nil, limit: 256)

    @Test("all pages of one revision are listed first, and then watched from there")
    mutating func beginning() throws {
        var state = EtcdState(try list(), limits: EtcdLimits())
        #expect(state.start() == [.connect(server: 0), Self.listing])
        let last = Array("/fleet/two".utf8)
        #expect(state.listed(page(["one", "two"], 7, more: true)) == [.list(after: last, revision: 7, limit: 256)])
        #expect(state.listed(page(["three"], 9)) == [.watch(from: 8)])
        let opened = state.heard(created(9), using: &random)
        #expect(opened == [.tell(.up), .changed, .settled, .check(after: .seconds(10))])
        #expect(names(state) == ["one", "three", "two"])
        #expect(state.start().isEmpty)
    }

    @Test("watch responses change the list, and continue from the last one after a lost connection")
    mutating func resuming() throws {
        var state = try watching()
        let news = EtcdNews(
            position: position(9),
            changes: [.put(pair("three")), .deleted(key: Array("/fleet/one".utf8)), .deleted(key: Array("/x".utf8))]
        )
        #expect(state.heard(news, using: &random) == [.changed])
        #expect(names(state) == ["three", "two"])
        #expect(state.failed(.closed, using: &random) == [.connect(server: 0), .watch(from: 10)])
        #expect(state.heard(created(12), using: &random) == [.changed, .settled, .check(after: .seconds(10))])
        #expect(names(state) == ["three", "two"])
    }

    @Test("while a watch catches up, it continues from the last change, not from the newest revision")
    mutating func catchingUp() throws {
        var state = try watching()
        var batch = EtcdNews(position: position(3_000), changes: [.put(pair("three"))])
        batch.lastRevision = 1_010
        _ = state.heard(batch, using: &random)
        #expect(state.failed(.closed, using: &random) == [.connect(server: 0), .watch(from: 1_011)])
    }

    @Test("of a fragmented response only the last fragment moves the position")
    mutating func fragments() throws {
        var state = try watching()
        let piece = EtcdNews(position: position(9), isFragment: true, changes: [.put(pair("three"))])
        _ = state.heard(piece, using: &random)
        #expect(state.failed(.closed, using: &random) == [.connect(server: 0), .watch(from: 8)])
    }

    @Test("after a compaction the list is read again, and remaining entries do not vanish")
    mutating func compaction() throws {
        var state = try watching()
        _ = state.failed(.closed, using: &random)
        _ = state.heard(created(30), using: &random)
        let end = EtcdNews(position: position(0), end: "", compacted: 20)
        #expect(state.heard(end, using: &random) == [Self.listing])
        #expect(names(state) == ["one", "two"])
        #expect(state.listed(page(["two"], 30)) == [.watch(from: 31)])
        #expect(names(state) == ["two"])
    }

    @Test(
        "the list is read again for another cluster, or one that was restored from a backup",
        arguments: [("d", 9), ("c", 6)] as [(String, Int64)]
    )
    mutating func otherHistory(cluster: String, revision: Int64) throws {
        var state = try watching()
        _ = state.failed(.closed, using: &random)
        #expect(state.heard(created(revision, cluster: cluster), using: &random) == [Self.listing])
    }

    @Test("every server is tried before an error is reported, and then the backoff grows to a minute")
    mutating func failures() throws {
        var state = EtcdState(try list(servers: 3), limits: EtcdLimits())
        _ = state.start()
        #expect(state.failed(.silent, using: &random) == [.connect(server: 1), Self.listing])
        #expect(state.failed(.silent, using: &random) == [.connect(server: 2), Self.listing])
        var pauses: [Duration] = []
        for round in 0..<12 {
            let actions = state.failed(.silent, using: &random)
            guard case .retry(let pause) = actions.last else { throw NotInTime(seconds: 0) }
            pauses.append(pause)
            #expect(
                actions.dropLast()
                    == (round == 0 ? [.disconnect, .tell(.down(silence(of: 3)))] : [.disconnect])
            )
            #expect(state.failed(.closed, using: &random).isEmpty, "of a connection that is gone")
            #expect(state.retry() == [.connect(server: 0), Self.listing])
            _ = state.failed(.silent, using: &random)
            _ = state.failed(.silent, using: &random)
        }
        #expect(pauses[0] <= .milliseconds(500))
        #expect(pauses.allSatisfy { $0 <= .seconds(60) })
        #expect(pauses[11] >= .seconds(30))
    }

    @Test("a wrong password is reported once, and retried only after a minute, for any number of servers")
    mutating func wrongPassword() throws {
        let error = EtcdError.refused(
            code: 3,
            message: "etcdserver: authentication failed, invalid user ID or password"
        )
        var state = EtcdState(try list(servers: 3, user: "bob"), limits: EtcdLimits())
        #expect(state.start() == [.connect(server: 0), .authenticate])
        let fault = SourceFault(
            code: .etcdPasswordRefused,
            servers: ["http://10.0.0.1:2379", "http://10.0.0.2:2379", "http://10.0.0.3:2379"],
            user: "bob"
        )
        let actions = state.failed(error, using: &random)
        #expect(actions == [.disconnect, .tell(.down(fault)), .retry(after: .seconds(60))])
        _ = state.retry()
        #expect(state.failed(error, using: &random) == [.disconnect, .retry(after: .seconds(60))])
    }

    @Test("an expired token is renewed once, without an event")
    mutating func token() throws {
        let error = EtcdError.refused(code: 16, message: "etcdserver: invalid auth token")
        var state = try watching(user: "bob")
        #expect(state.failed(error, using: &random) == [.connect(server: 0), .authenticate])
        #expect(state.authenticated() == [.watch(from: 8)])
        let again = state.failed(error, using: &random)
        #expect(again.contains(.disconnect))
        _ = state.retry()
        _ = state.authenticated()
        _ = state.heard(created(8), using: &random)
        _ = state.lives()
        let ended = EtcdNews(
            position: position(8),
            end: "rpc error: code = Unauthenticated desc = etcdserver: invalid auth token"
        )
        #expect(state.heard(ended, using: &random) == [.connect(server: 0), .authenticate])
    }

    @Test("a watch that ends immediately is restarted immediately once, and then with a backoff until one is stable")
    mutating func shortWatches() throws {
        var state = try watching()
        #expect(state.failed(.closed, using: &random) == [.connect(server: 0), .watch(from: 8)])
        var pauses: [Duration] = []
        for _ in 0..<10 {
            _ = state.heard(created(8), using: &random)
            let actions = state.failed(.closed, using: &random)
            guard case .retry(let pause) = actions.last else { throw NotInTime(seconds: 0) }
            pauses.append(pause)
            _ = state.retry()
        }
        #expect(pauses[9] >= .seconds(30))
        _ = state.heard(created(8), using: &random)
        _ = state.lives()
        #expect(state.failed(.closed, using: &random) == [.connect(server: 0), .watch(from: 8)])
    }

    @Test(
        "a list that must be read again is read immediately once, and then with a backoff",
        arguments: [
            EtcdNews(position: EtcdPosition(cluster: "d", revision: 9), isCreated: true),
            EtcdNews(position: EtcdPosition(cluster: "c", revision: 6), isCreated: true),
            EtcdNews(position: EtcdPosition(cluster: "c", revision: 0), end: "", compacted: 20),
        ]
    )
    mutating func relisting(news: EtcdNews) throws {
        var state = EtcdState(try list(), limits: EtcdLimits())
        _ = state.start()
        _ = state.listed(page(["one"], 7))
        #expect(state.heard(news, using: &random) == [Self.listing])
        for _ in 0..<10 {
            _ = state.listed(page(["one"], 7))
            guard case .retry = state.heard(news, using: &random).last else { throw NotInTime(seconds: 0) }
            #expect(state.retry() == [.connect(server: 0), Self.listing])
        }
    }

    @Test("a watch that confirms its start repeatedly is reported once")
    mutating func createdAgain() throws {
        var state = try watching()
        #expect(state.heard(created(7), using: &random).isEmpty)
    }

    @Test("the page size is halved for large values, and a single value that is too large is an error")
    mutating func largeValues() throws {
        var state = EtcdState(try list(), limits: EtcdLimits())
        _ = state.start()
        for limit in [128, 64, 32, 16, 8, 4, 2, 1] {
            let next = EtcdState.Action.list(after: nil, revision: nil, limit: limit)
            #expect(state.failed(.tooLarge(limit: 1), using: &random) == [next])
        }
        #expect(state.failed(.tooLarge(limit: 1), using: &random).contains(.disconnect))
    }

    @Test("etcd's health is checked periodically, and after stop nothing happens")
    mutating func livesAndStops() throws {
        var state = try watching()
        #expect(state.lives() == [.check(after: .seconds(30))])
        let silent = state.failed(.silent, using: &random)
        #expect(silent.contains(.tell(.down(silence(of: 1)))))
        #expect(state.lives().isEmpty)
        #expect(state.stop() == [.disconnect])
        #expect(state.retry().isEmpty)
        #expect(state.failed(.closed, using: &random).isEmpty)
        #expect(state.heard(created(9), using: &random).isEmpty)
    }

    @Test("a list is limited: entries above the limit are counted, and no further pages are requested")
    mutating func limits() throws {
        var limits = EtcdLimits()
        limits.entries = 3
        var state = EtcdState(try list(), limits: limits)
        _ = state.start()
        #expect(state.listed(page(["a", "b", "c", "d"], 7, more: true)) == [.watch(from: 8)])
        #expect(names(state) == ["a", "b", "c"])
        #expect(state.contents.omissions == [.listCut(limit: 3)])
    }

    @Test(
        "a list that exceeded the limit is read again at the next check if there is capacity",
        arguments: [true, false]
    )
    mutating func roomAgain(isCut: Bool) throws {
        var limits = EtcdLimits()
        limits.entries = 2
        var state = EtcdState(try list(), limits: limits)
        _ = state.start()
        _ = state.listed(page(["a", "b"], 7, more: isCut))
        _ = state.heard(created(7), using: &random)
        var omission = SourceOmission.listCut(limit: 2)
        if !isCut {
            _ = state.heard(EtcdNews(position: position(8), changes: [.put(pair("c"))]), using: &random)
            omission = .listFull(limit: 2, dropped: 1)
        }
        #expect(state.contents.omissions == [omission])
        #expect(state.lives() == [.check(after: .seconds(30))])
        let news = EtcdNews(position: position(9), changes: [.deleted(key: Array("/fleet/a".utf8))])
        #expect(state.heard(news, using: &random) == [.changed])
        #expect(state.lives() == [Self.listing])
        #expect(state.listed(page(["b", "c"], 9)) == [.watch(from: 10)])
        #expect(state.contents.omissions.isEmpty)
        #expect(names(state) == ["b", "c"])
    }

    @Test("a refresh causes a health check while the list is watched")
    mutating func doubt() throws {
        var state = try watching()
        #expect(state.doubted() == [.check(after: .zero)])
        _ = state.failed(.silent, using: &random)
        #expect(state.doubted().isEmpty)
    }

    @Test("keys that are too long are counted and limited like entries, and are removed with their deletion")
    func longKeys() throws {
        var limits = EtcdLimits()
        limits.entries = 100
        var contents = ListContents(prefix: "/fleet", limits: limits)
        func key(_ number: Int) -> [UInt8] {
            Array(("/fleet/" + String(repeating: "x", count: 5_000) + "\(number)").utf8)
        }
        contents.put(pair("one"))
        for _ in 1...2 { for number in 0..<50 { contents.put(EtcdPair(key: key(number), value: Self.value)) } }
        #expect(contents.faults.count == 50 && contents.dropped == 0)
        #expect(contents.faults.keys.allSatisfy { $0.count < 100 })
        guard case .entriesIgnored(50, let example, _)? = contents.omissions.first else { throw NotInTime(seconds: 0) }
        #expect(example.hasPrefix("xxx"))
        for number in 50..<1_000 { contents.put(EtcdPair(key: key(number), value: Self.value)) }
        #expect(contents.faults.count + contents.entries.count == 100 && contents.dropped == 901)
        for number in 0..<1_000 { contents.delete(key: key(number)) }
        #expect(contents.faults.isEmpty && contents.entries.count == 1)
    }

    @Test("an expedited host name is looked up again before all others")
    func renewal() {
        var hosts = HostBook()
        hosts.need(["a", "b", "c"])
        for name in ["a", "b", "c"] {
            #expect(hosts.next() == name)
            _ = hosts.found([], for: name)
        }
        hosts.forgetAge()
        hosts.renew("d")
        #expect(hosts.next() == "a")
        hosts.renew("a")
        _ = hosts.found([], for: "a")
        #expect(hosts.next() == "a")
    }
}
