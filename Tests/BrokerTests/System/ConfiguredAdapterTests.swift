// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Glibc
import NIOCore
import NIOPosix
import Platform
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.endsStarted) struct ConfiguredAdapterTests {
    private static let quiet = ConfiguredAdapter(name: "quiet", login: "login", place: .socket)

    private func started(
        _ limits: AdapterLimits = AdapterLimits()
    ) async throws -> BrokerFixture {
        let fixture = try await BrokerFixture(limits)
        let server = try await fixture.sampleServer()
        try await fixture.login(to: try await fixture.endpoint(at: server.addresses.first))
        return fixture
    }

    @Test("a configured adapter exists before any login, logs in with the first call, and survives a lock")
    func lockedAndUnlocked() async throws {
        let fixture = try await started()
        #expect(await fixture.broker.open([Self.quiet]).isEmpty)
        let adapter = try #require(await fixture.broker.openAdapters.first)
        #expect(adapter.id == "quiet" && adapter.lifetime == .permanent && adapter.target == nil)
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
        #expect(await fixture.broker.sessionCount == 0)

        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await Tool.call(adapter.socketPath).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 8))
        #expect(try fixture.calls("LoginService.LoginEx") == 1)
        #expect(await fixture.broker.openAdapters.first?.target?.endpointName == "here")

        await fixture.store.lock()
        try await eventually { try fixture.calls("LoginService.Logout") == 1 }
        try await eventually { await !fixture.broker.usesVault }
        let locked = try await Tool.call(adapter.socketPath)
        #expect(locked.status == 403)
        #expect(locked.exception?.className == AdapterReply.failureClass)
        #expect(locked.exception?.message == "\(CredentialError.locked)")
        #expect(await fixture.broker.sessionCount == 0)

        try await fixture.unlock()
        #expect(try await Tool.call(adapter.socketPath).status == 200)
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
        try await fixture.broker.close("quiet")
        #expect(fixture.sockets.isEmpty)
        #expect(await fixture.broker.sessionCount == 0)
    }

    @Test("it releases its session after a long time without use, and acquires another")
    func idle() async throws {
        var limits = AdapterLimits()
        limits.idle = .milliseconds(100)
        let fixture = try await started(limits)
        _ = await fixture.broker.open([Self.quiet])
        let path = try #require(await fixture.broker.openAdapters.first).socketPath
        for times in 1...2 {
            #expect(try await Tool.call(path).status == 200)
            try await eventually { try fixture.calls("LoginService.Logout") == times }
        }
        #expect(await fixture.broker.openAdapters.count == 1)
    }

    @Test("a call that takes longer than the idle time is answered, and releases nothing")
    func slowCall() async throws {
        var limits = AdapterLimits()
        limits.idle = .milliseconds(50)
        let fixture = try await BrokerFixture(limits)
        let server = try await ScriptedServer(on: fixture.loop) {
            [.pause(.milliseconds($0.method == "GetSchema" ? 300 : 0))] + .accepted($0)
        }
        try await fixture.login(to: try await fixture.endpoint(at: server.address))
        _ = await fixture.broker.open([Self.quiet])
        let path = try #require(await fixture.broker.openAdapters.first).socketPath
        #expect(try await Tool.call(path).status == 200)
        #expect(server.count("LoginEx") == 1)
        try await eventually { server.count("Logout") == 1 }
    }

    @Test(
        "a missing login, a taken port and a duplicate name are reported, and do not affect other adapters"
    )
    func problems() async throws {
        let fixture = try await started()
        let listener = try await fixture.sampleServer { $0.dataDirectory = fixture.temporary.path(of: "t") }
        let taken = UInt16(try #require(listener.addresses.first?.port))
        let problems = await fixture.broker.open([
            ConfiguredAdapter(name: "taken", login: "login", place: .loopback(port: taken, path: nil)),
            ConfiguredAdapter(name: "nobody", login: "nobody", place: .socket),
            ConfiguredAdapter(name: "nobody", login: "login", place: .socket), Self.quiet,
        ])
        #expect(problems.map(\.name) == ["taken", "nobody"])
        #expect(problems.first?.reason.hasSuffix(": another program uses port \(taken) of 127.0.0.1") == true)
        #expect(await fixture.broker.openAdapters.map(\.id) == ["nobody", "quiet"])
        let path = try #require(await fixture.broker.openAdapters.first).socketPath
        #expect(try await Tool.call(path).exception?.message == "\(CredentialError.noSuchLogin("nobody"))")
        await fixture.broker.stop()
        #expect(fixture.sockets.isEmpty)
    }

    @Test("a generated path is stored in a file for its user only, and made again if it is unusable")
    func paths() async throws {
        let temporary = TemporaryDirectory()
        let paths = LoopbackPaths(directory: temporary.path(of: "state"), pool: .singleton)
        let made = try await paths.path(of: "office")
        #expect(LoopbackGate.isUsable(made))
        #expect(try await paths.path(of: "office") == made)
        #expect(try await paths.path(of: "other") != made)
        var facts = stat()
        #expect(lstat(temporary.path(of: "state/adapter-office.path"), &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        temporary.write(Array("/bin\n".utf8), to: "state/adapter-office.path")
        let again = try await paths.path(of: "office")
        #expect(again != made && LoopbackGate.isUsable(again))
    }
}
