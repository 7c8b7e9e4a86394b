// SPDX-License-Identifier: Apache-2.0

import Discovery
import Endpoints
import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

@Suite(
    "A list in a real etcd",
    .enabled(if: Requirement.allMet([.program("/usr/bin/etcd"), .program("/usr/bin/etcdctl")])),
    .timeLimit(.minutes(1))
)
struct EtcdSourceTests {
    private let pool = NIOThreadPool(numberOfThreads: 1)
    private let lookUps = NIOThreadPool(numberOfThreads: 1)

    init() {
        pool.start()
        lookUps.start()
    }

    private func source(
        _ servers: [ServerURL],
        messageBytes: Int = 8 << 20,
        _ change: (inout EtcdList) -> Void = { _ in }
    ) -> EtcdSource {
        var list = EtcdList(name: "fleet", servers: servers, prefix: "/fleet")
        change(&list)
        var limits = EtcdLimits()
        limits.checkEvery = .milliseconds(300)
        limits.replyTimeout = .seconds(1)
        limits.messageBytes = messageBytes
        return EtcdSource(
            list,
            limits: limits,
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            pool: pool,
            lookUps: lookUps
        )
    }

    private func urls(_ reader: SightingReader) -> Set<String> {
        Set(
            reader.sightings.values.map { sighting in
                "\(sighting.key.instance.name) \(sighting.scheme)://\(sighting.address):\(sighting.port)\(sighting.path)"
            }
        )
    }

    @Test("entries are read, and each change is reported within milliseconds")
    func life() async throws {
        let server = try await EtcdServer.serving()
        try await server.put("one", url: "http://10.1.2.3:7099/bin")
        try await server.put("two", "{\"url\": \"https://[fd00::2]:7443/x\", \"txt\": [\"a=b\", \"\"]}")
        let source = source([server.url])
        let reader = SightingReader(source)
        try await reader.wait(for: .settled)
        #expect(urls(reader) == ["one http://10.1.2.3:7099/bin", "two https://fd00::2:7443/x"])
        #expect(reader.sightings.values.contains { $0.txt == [Array("a=b".utf8), []] })
        #expect(reader.sightings.keys.allSatisfy { $0.source.text == "etcd:fleet" && $0.instance.domain == "fleet" })

        try await server.put("three", url: "http://10.1.2.4:7099/bin")
        let began = ContinuousClock.now
        try await reader.wait { $0.sightings.count == 3 }
        #expect(ContinuousClock.now - began < .milliseconds(500))
        try await server.put("one", url: "http://10.1.2.3:7100/bin")
        try await reader.wait { urls($0).contains("one http://10.1.2.3:7100/bin") }
        #expect(reader.vanished == 0, "a change is no end")
        try await server.control(["del", "/fleet/two"])
        try await reader.wait { $0.sightings.count == 2 }
        try await server.control(["del", "--prefix", "/fleet/"])
        try await reader.wait { $0.sightings.isEmpty }
        source.stop()
        await reader.awaitEnd()
    }

    @Test("if etcd is killed and restarted, with changes and a compaction meanwhile, no existing entry vanishes")
    func restartWithCompaction() async throws {
        let server = try await EtcdServer.serving()
        for index in 0..<5 { try await server.put("s\(index)", url: "http://10.1.2.\(index + 1):7099/bin") }
        let source = source([server.url])
        let reader = SightingReader(source)
        try await reader.wait(for: .settled)

        server.stop()
        let fault = try await reader.awaitDown()
        // The next connection may be made just before the listener exits.
        #expect([.etcdUnreachable, .etcdClosed].contains(fault.code), "\(fault)")
        try await server.start()
        try await reader.wait(for: .settled)
        #expect(reader.vanished == 0)

        // The watch cannot resume, because the connection and the history are lost.
        server.signal(SIGSTOP)
        #expect(try await reader.awaitDown() == SourceFault(code: .etcdSilent, servers: [server.address]))
        server.signal(SIGCONT)
        server.stop()
        let twin = server
        try await twin.start()
        try await twin.control(["del", "/fleet/s0"])
        try await twin.put("s1", url: "http://10.1.2.2:7100/bin")
        let status = try await twin.control(["get", "/fleet/s1", "-w", "json"])
        let revision = try #require(status.firstMatch(of: /"revision":(\d+)/)).1
        try await twin.control(["compaction", String(revision)])
        try await reader.wait { $0.sightings.count == 4 && urls($0).contains("s1 http://10.1.2.2:7100/bin") }
        #expect(reader.vanished <= 1)
        source.stop()
    }

    @Test("TLS works with the configured authority and certificate, and fails without them with a reason")
    func tls() async throws {
        let certificates = try await Certificates()
        let server = try await EtcdServer.serving(certificates)
        try await server.put("one", url: "http://10.1.2.3:7099/bin")
        let trusted = source([server.url]) { list in
            list.tls.authorities = certificates.path(of: "ca.pem")
            list.tls.certificate = certificates.path(of: "client.pem")
            list.tls.key = certificates.path(of: "client.key")
        }
        let reader = SightingReader(trusted)
        try await reader.wait(for: .settled)
        #expect(reader.sightings.count == 1)
        trusted.stop()

        let strange = source([server.url])
        let untrusted = try await SightingReader(strange).awaitDown()
        #expect(untrusted.code == .etcdUnreachable && untrusted.detail?.contains("TLS") == true)
        strange.stop()
        chmod(certificates.path(of: "client.key"), 0o644)
        let open = source([server.url]) { list in
            list.tls.authorities = certificates.path(of: "ca.pem")
            list.tls.certificate = certificates.path(of: "client.pem")
            list.tls.key = certificates.path(of: "client.key")
        }
        let readable = try await SightingReader(open).awaitDown()
        #expect(readable.code == .etcdFileUnusable && readable.detail?.contains("is open to other users") == true)
        open.stop()
    }

    @Test("a wrong password is reported once with a remedy, and a lost token is renewed")
    func authentication() async throws {
        let server = try await EtcdServer.serving()
        try await server.put("one", url: "http://10.1.2.3:7099/bin")
        let password = "pass \"word\" \\ \u{1} ä"
        for arguments in [
            ["user", "add", "root:secret"], ["user", "grant-role", "root", "root"], ["role", "add", "reader"],
            ["role", "grant-permission", "--prefix=true", "reader", "read", "/fleet/"],
            ["user", "add", "bob:\(password)"], ["user", "grant-role", "bob", "reader"],
            ["user", "add", "eve:\(password)"],
            ["auth", "enable"],
        ] { try await server.control(arguments) }
        let directory = TemporaryDirectory()
        directory.write(Array("\(password)\n".utf8), to: "right")
        directory.write(Array("wrong\n".utf8), to: "wrong")
        directory.write(Array("\(password)\n".utf8), to: "open", mode: 0o644)

        func reading(_ user: String?, _ file: String) -> EtcdSource {
            source([server.url]) { list in
                list.user = user.map { EtcdUser(name: $0, passwordFile: directory.path(of: file)) }
            }
        }
        let bob = reading("bob", "right")
        let reader = SightingReader(bob)
        try await reader.wait(for: .settled)
        #expect(reader.sightings.count == 1)
        // A token is invalid after a restart of its server.
        server.stop()
        _ = try await reader.awaitDown()
        try await server.startWithUsers()
        try await reader.wait(for: .settled)
        #expect(reader.vanished == 0)
        bob.stop()

        for (user, file, code, value) in [
            ("bob", "wrong", .etcdPasswordRefused, "bob"), ("bob", "open", .etcdFileUnusable, "is open to other users"),
            ("bob", "missing", .etcdFileUnusable, "No such file"),
            ("mallory", "right", .etcdPasswordRefused, "mallory"),
            ("eve", "right", .etcdReadDenied, "/fleet/"), (nil, "", .etcdUserNeeded, server.address),
        ] as [(String?, String, SourceFault.Code, String)] {
            let source = reading(user, file)
            let fault = try await SightingReader(source).awaitDown()
            #expect(fault.code == code && "\(fault)".contains(value), "\(fault)")
            #expect(!"\(fault)".contains("pass \"word"))
            source.stop()
        }
    }

    @Test("an invalid value affects no other entry, names are looked up, and addresses are checked")
    func hostileValues() async throws {
        let server = try await EtcdServer.serving()
        let values = [
            "", "x", "{", "[]", "{\"url\": 7}", "{\"url\": \"ftp://a\"}", "{\"url\": \"http://10.1.2.3/a b\"}",
            "{\"url\": \"10.1.2.3\", \"txt\": 7}", String(repeating: "[", count: 5_000),
            "{\"url\": \"http://u:p@10.1.2.3\"}",
        ]
        for (index, value) in values.enumerated() { try await server.put("bad\(index)", value) }
        try await server.control(["put", "/fleet/nul"], input: "\u{0}")
        try await server.control(["put", "/fleet/huge"], input: String(repeating: "x", count: 1_000_000))
        try await server.control(["put", "/fleet/\(String(repeating: "n", count: 64))", "{\"url\": \"10.1.2.3\"}"])
        for address in ["127.0.0.1", "169.254.169.254", "8.8.8.8", "[::1]", "[fd00:ec2::254]", "localhost"] {
            try await server.put("to \(address)", url: "http://\(address):7099/bin")
        }
        try await server.put("good", url: "http://10.1.2.3:7099/bin")
        let source = source([server.url])
        let reader = SightingReader(source)
        try await reader.wait(for: .settled)
        #expect(urls(reader) == ["good http://10.1.2.3:7099/bin"])
        let reason = "the value is not a JSON object"
        let ignored = SourceOmission.entriesIgnored(count: 15, example: "bad0", reason: reason)
        #expect(source.omissions.contains(ignored), "\(source.omissions)")
        #expect(source.omissions.contains(.entriesUnplaced(count: 4)), "\(source.omissions)")
        // Also large values in a watch response.
        try await server.control(["put", "/fleet/huge"], input: String(repeating: "y", count: 1_400_000))
        try await server.put("good", url: "http://10.1.2.3:7100/bin")
        try await reader.wait { urls($0) == ["good http://10.1.2.3:7100/bin"] }
        #expect(!reader.heard.contains { if case .source(.down) = $0 { true } else { false } })
        source.stop()
    }

    @Test("a slow name server for one entry delays neither etcd nor other entries")
    func slowNames() async throws {
        let server = try await EtcdServer.serving()
        let free = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
        defer { free.succeed() }
        lookUps.submit { _ in try? free.futureResult.wait() }
        try await server.put("named", url: "http://localhost:7099/bin")
        try await server.put("one", url: "http://10.1.2.3:7099/bin")
        let source = source([try ServerURL(completing: "http://localhost:\(server.url.port)")])
        let reader = SightingReader(source)
        try await reader.wait { urls($0) == ["one http://10.1.2.3:7099/bin"] }
        try await server.put("two", url: "http://10.1.2.4:7099/bin")
        try await reader.wait { $0.sightings.count == 2 }
        source.stop()
    }

    @Test("a thousand entries are read in pages, also next to large values")
    func pages() async throws {
        let server = try await EtcdServer.serving()
        let puts = (0..<1_000).map { #"put /fleet/s\#($0) "{\"url\":\"10.1.\#($0 / 250).\#($0 % 250 + 1)\"}"\#n"# }
        for start in stride(from: 0, to: 1_000, by: 100) {
            try await server.control(["txn"], input: "\n" + puts[start..<(start + 100)].joined() + "\n\n")
        }
        for index in 0..<8 {
            try await server.control(["put", "/fleet/large\(index)"], input: String(repeating: "x", count: 60_000))
        }
        let source = source([server.url], messageBytes: 256 << 10)
        let reader = SightingReader(source)
        try await reader.wait(for: .settled)
        #expect(reader.sightings.count == 1_000, "\(source.omissions)")
        source.stop()
    }
}
