// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Locks
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Registry

@Suite("Registry")
struct EndpointRegistryTests {
    private let temporary = TemporaryDirectory()
    private let office: ServerURL
    private let home: ServerURL

    init() throws {
        office = try ServerURL(completing: "10.0.0.1")
        home = try ServerURL(completing: "10.0.0.2")
    }

    private func registry(_ directory: String = "data", limits: RegistryLimits = RegistryLimits()) -> EndpointRegistry {
        EndpointRegistry(
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            store: EndpointStore(directory: temporary.path(of: directory), pool: .singleton),
            limits: limits
        )
    }

    @Test("entries and settings survive a restart")
    func restart() async throws {
        let first = registry()
        #expect(await first.load() == nil)
        let added = try await first.add(name: "office", url: office)
        _ = try await first.add(name: "home", url: home)
        let set = try await first.set(
            added.id,
            EndpointSettings {
                $0.scheme = .https; $0.dataService = "D"
            }
        )
        try await first.remove(try await first.find("home").id)
        let second = registry()
        #expect(await second.load() == nil)
        #expect(await second.snapshot.endpoints == [set])
    }

    @Test("a configured server is listed and can have settings, but is neither saved nor removed")
    func configured() async throws {
        let first = registry()
        #expect(await first.load() == nil)
        let id = EndpointID.derived(from: office)
        await first.configure([(id, ManualEntry(name: "office", url: office, origin: .configured))])
        #expect(try await first.find("office").origin == .configured)
        await #expect(throws: RegistryError.alreadyAdded(name: "office")) {
            try await first.add(name: "mine", url: office)
        }
        let set = try await first.set(id, EndpointSettings { $0.dataService = "D" })
        #expect(set.origin == .configured)
        await #expect(throws: RegistryError.configured(name: "office")) { try await first.remove(id) }

        let second = registry()
        #expect(await second.load() == nil)
        #expect(await second.snapshot.endpoints == [])
        await second.configure([
            (EndpointID.derived(from: office), ManualEntry(name: "office", url: office, origin: .configured))
        ])
        #expect(await second.snapshot.endpoints == [set])
    }

    @Test("a damaged file is set aside with a note")
    func setAside() async throws {
        temporary.write(Array("{".utf8), to: "endpoints.json", mode: 0o600)
        let registry = registry(".")
        guard case .setAside(let path, let aside, _)? = await registry.load() else { throw NotInTime(seconds: 0) }
        #expect(aside == path + ".damaged-1")
        _ = try await registry.add(name: "office", url: office)
        #expect(temporary.names() == ["endpoints.json", "endpoints.json.damaged-1"])
    }

    @Test("the settings of a list that is open to others are in effect again after its mode was repaired")
    func openToOthers() async throws {
        let first = registry(".")
        _ = await first.load()
        let id = try await first.add(name: "office", url: office).id
        _ = try await first.set(id, EndpointSettings { $0.isReadOnly = true })
        #expect(chmod(temporary.path(of: "endpoints.json"), 0o644) == 0)
        let second = registry(".")
        guard case .unusable? = await second.load() else { throw NotInTime(seconds: 0) }
        await #expect(throws: RegistryError.self) { try await second.add(name: "office", url: office) }
        #expect(chmod(temporary.path(of: "endpoints.json"), 0o600) == 0)
        let third = registry(".")
        #expect(await third.load() == nil)
        #expect(try await third.find("office").constraints.isReadOnly)
    }

    @Test("a change that cannot be saved is rolled back, also if others wait after it")
    func notSaved() async throws {
        temporary.write([], to: "data")
        let registry = registry()
        _ = await registry.load()
        let (office, home) = (office, home)
        async let one = try? registry.add(name: "office", url: office)
        async let two = try? registry.add(name: "home", url: home)
        let added = await [one, two]
        #expect(added == [nil, nil])
        #expect(await registry.snapshot.endpoints.isEmpty)
        unlink(temporary.path(of: "data"))
        _ = try await registry.add(name: "office", url: office)
        #expect(await registry.snapshot.endpoints.map(\.name) == ["office"])
    }

    @Test("a change that is rolled back keeps what is known of the server")
    func notSavedButReached() async throws {
        let registry = registry()
        let added = try await registry.add(name: "office", url: office)
        await registry.note(.reached, for: added.id)
        #expect(rename(temporary.path(of: "data"), temporary.path(of: "earlier")) == 0)
        temporary.write([], to: "data")
        await #expect(throws: RegistryError.self) { try await registry.set(added.id, EndpointSettings(), name: "two") }
        #expect(try await registry.find("office").state == .reachable)
    }

    @Test("a failed save is retried when there is space again, without another change")
    func savedLater() async throws {
        temporary.write([], to: "data")
        var limits = RegistryLimits()
        limits.savePause = .milliseconds(10)
        limits.longestSavePause = .milliseconds(20)
        let registry = registry(limits: limits)
        _ = await registry.load()
        let source = ScriptedSource([.sighted(try .made("A", address: "10.0.0.9"))])
        source.stop()
        await registry.consume(source.events(), from: source.name)
        async let _: Void = registry.keepSaved()
        await registry.remember(try await registry.find("A").id)
        try await eventually { await registry.unsavedReason != nil }
        unlink(temporary.path(of: "data"))
        try await eventually { await registry.unsavedReason == nil }
        #expect(temporary.names(in: "data") == ["endpoints.json"])
    }

    @Test("a watcher receives the complete list and then every change, without gaps")
    func watch() async throws {
        let registry = registry()
        _ = try await registry.add(name: "office", url: office)
        var updates = try await registry.watch().makeAsyncIterator()
        let source = ScriptedSource([.source(.up), .sighted(try .made("A", address: "10.0.0.9")), .settled])
        source.tell(.vanished(try Sighting.made("A", address: "10.0.0.9").key))
        source.stop()
        await registry.consume(source.events(), from: source.name)
        try await registry.remove(try await registry.find("office").id)

        guard case .snapshot(let start, let list)? = try await updates.next() else {
            Issue.record("no snapshot")
            return
        }
        var fold = Dictionary(uniqueKeysWithValues: list.endpoints.map { ($0.id, $0) })
        var revision = start
        let (end, endpoints) = await registry.snapshot
        #expect(end == start + 3)
        while revision < end, case .change(let next, let change)? = try await updates.next() {
            #expect(next == revision + 1)
            revision = next
            fold[change.endpoint.id] = change.endpoint
            if case .removed(let endpoint) = change { fold[endpoint.id] = nil }
        }
        #expect(Array(fold.values) == endpoints)
    }

    @Test("a watcher that does not read is disconnected, and others are not affected")
    func slow() async throws {
        var limits = RegistryLimits()
        limits.watcherBacklog = 4
        let registry = registry(limits: limits)
        var slow = try await registry.watch().makeAsyncIterator()
        var quick = try await registry.watch().makeAsyncIterator()
        _ = try await quick.next()
        for number in 1...6 {
            let source = ScriptedSource([.sighted(try .made("S\(number)", address: "10.0.1.\(number)"))])
            source.stop()
            await registry.consume(source.events(), from: source.name)
            let update = try await quick.next()
            guard case .change(UInt64(number), _)? = update else {
                Issue.record("\(String(describing: update))")
                return
            }
        }
        await #expect(throws: RegistryError.watcherTooSlow) {
            for _ in 0..<10 where try await slow.next() == nil { return }
        }
    }

    @Test("a list is that of one moment")
    func list() async throws {
        let registry = registry()
        let before = try await registry.add(name: "office", url: office)
        let (edition, list) = await registry.list
        try await registry.remove(before.id)
        _ = try await registry.add(name: "another", url: office)
        #expect(list.endpoints == [before] && list[before.id] == before)
        #expect(await registry.list.endpoints.endpoints.map(\.name) == ["another"])
        #expect(await registry.edition != edition)
    }

    @Test("waiting for sources that do not settle leaves nothing in memory")
    func patience() async {
        let registry = registry()
        await registry.waitUntilSettled(atMost: .milliseconds(1))
        #expect(await registry.settlingCount == 0)
    }

    @Test("a caller does not wait where there are no sources", .timeLimit(.minutes(1)))
    func withoutSources() async {
        let registry = EndpointRegistry(
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            store: EndpointStore(directory: temporary.path(of: "data"), pool: .singleton),
            expectsSources: false
        )
        await registry.waitUntilSettled(atMost: .seconds(3_600))
    }

    @Test("a watch ends with its reader, and frees a place for another")
    func cancelled() async throws {
        var limits = RegistryLimits()
        limits.watchers = 1
        let registry = registry(limits: limits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let updates = try await registry.watch()
            await #expect(throws: RegistryError.tooManyWatchers(limit: 1)) { try await registry.watch() }
            group.addTask { for try await _ in updates {} }
            group.cancelAll()
            try await group.waitForAll()
        }
        try await eventually { (try? await registry.watch()) != nil }
    }
}
