// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import Glibc
import NIOCore
import Platform
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite struct GrantTests {
    private func withServer(
        audit: String? = nil,
        _ body: @Sendable (BrokerFixture) async throws -> Void
    ) async throws {
        let fixture = try await BrokerFixture(audit: audit)
        let server = try await fixture.sampleServer()
        try await fixture.login(to: try await fixture.endpoint(at: server.addresses.first))
        try await body(fixture)
        await fixture.stop()
        await server.stop()
    }

    private static func reading(_ time: Duration = .seconds(600)) -> GrantOrder {
        var order = GrantOrder(login: "login")
        order.isReadOnly = true
        order.time = time
        return order
    }

    private static func request(_ method: String, compressed: Bool = false) throws -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: ClientID(), service: "DataService", method: method)
        writer.write(utf8: String(repeating: " ", count: 5_000))
        return compressed ? try BinMessage(decoding: writer.buffer).encoded(compressingFrom: 1) : writer.buffer
    }

    @Test("a grant lets its calls through and no others, compressed or not, and answers logins by itself")
    func calls() async throws {
        try await withServer { fixture in
            let grant = try await fixture.broker.grant(Self.reading())
            var facts = stat()
            #expect(lstat(grant.directory, &facts) == 0 && facts.st_mode == S_IFDIR | 0o700)
            #expect(lstat(grant.socketPath, &facts) == 0 && facts.st_mode == S_IFSOCK | 0o600)
            #expect(await fixture.broker.openAdapters.isEmpty)
            #expect(await fixture.broker.grants == [grant])
            #expect(try fixture.calls("LoginService.LoginEx") == 0)

            #expect(try await Tool.call(grant.socketPath).schema().contains("<Name>Deps</Name>"))
            for compressed in [false, true] {
                let read = try await Tool.call(grant.socketPath, try Self.request("GetSchema", compressed: compressed))
                #expect(read.status == 200)
                let write = try await Tool.call(
                    grant.socketPath,
                    try Self.request("UpdateData", compressed: compressed)
                )
                #expect(write.status == 403)
                #expect(write.exception?.className == AdapterReply.failureClass)
                #expect(write.exception?.message.contains("DataService.UpdateData") == true)
            }
            let poll = PollRequest(clientID: ClientID(), eventLimit: 1).encoded()
            #expect(try await Tool.call(grant.socketPath, poll).status == 403)
            var logout = RequestMessage.writer(clientID: ClientID(), service: "LoginService", method: "Logout")
            #expect(try await Tool.call(grant.socketPath, logout.buffer).status == 200)
            logout = RequestMessage.writer(clientID: ClientID(), service: "LoginService", method: "GetUserInfo")
            #expect(try await Tool.call(grant.socketPath, logout.buffer).status == 403)
            #expect(try fixture.calls("DataService.UpdateData") == 0)
            #expect(try fixture.calls("LoginService.Logout") == 0)
            await #expect(throws: BrokerError.adapterNotFound(grant.id)) { try await fixture.broker.close(grant.id) }
        }
    }

    @Test("a grant goes with its revocation: socket, directory and connections")
    func revocation() async throws {
        try await withServer { fixture in
            let grant = try await fixture.broker.grant(Self.reading())
            let other = try await fixture.broker.grant(Self.reading())
            #expect(try await Tool.call(grant.socketPath).status == 200)
            async let rest = BlockingWork.run {
                let tool = try Tool(grant.socketPath)
                fixture.temporary.write([], to: "connected")
                return try tool.readToEnd()
            }
            try await eventually { fixture.temporary.names().contains("connected") }
            try await fixture.broker.revoke(grant.id)
            #expect(try await rest.isEmpty)
            #expect(access(grant.directory, F_OK) != 0)
            await #expect(throws: BrokerError.grantNotFound(grant.id)) { try await fixture.broker.revoke(grant.id) }
            #expect(await fixture.broker.grants == [other])
            await fixture.broker.stop()
            #expect(fixture.temporary.names(in: "g").isEmpty)
        }
    }

    @Test("it outlives a lock, answers meanwhile that the vault is locked, and ends with its time and with its login")
    func ends() async throws {
        try await withServer { fixture in
            let grant = try await fixture.broker.grant(Self.reading())
            #expect(try await Tool.call(grant.socketPath).status == 200)
            await fixture.store.lock()
            try await eventually { await !fixture.broker.usesVault }
            let locked = try await Tool.call(grant.socketPath)
            #expect(locked.status == 403 && locked.exception?.message == "\(CredentialError.locked)")
            await #expect(throws: CredentialError.locked) { try await fixture.broker.grant(Self.reading()) }
            try await fixture.unlock()
            #expect(try await Tool.call(grant.socketPath).status == 200)

            let short = try await fixture.broker.grant(Self.reading(.milliseconds(200)))
            try await eventually { await fixture.broker.grants == [grant] }
            #expect(access(short.directory, F_OK) != 0)
            await fixture.broker.forget(grant.login)
            #expect(await fixture.broker.grants.isEmpty && fixture.temporary.names(in: "g").isEmpty)
        }
    }

    @Test("grants are in the audit log before they are there, and without it there are none")
    func audited() async throws {
        try await withServer(audit: "audit") { fixture in
            let grant = try await fixture.broker.grant(Self.reading())
            let log = { TestSupport.TextFile.text(of: fixture.temporary.path(of: "audit/audit.jsonl")) }
            #expect(
                log().contains(#""event":"grant.changed""#)
                    && log().contains(#""grant":"\#(grant.id)","change":"added""#)
            )
            try await fixture.broker.revoke(grant.id)
            #expect(log().contains(#""grant":"\#(grant.id)","change":"revoked""#))
        }
        try await withServer(audit: "audit") { fixture in
            // A file where the log's directory should be.
            rename(fixture.temporary.path(of: "audit"), fixture.temporary.path(of: "gone"))
            fixture.temporary.write([], to: "audit")
            await #expect(throws: CredentialError.self) { try await fixture.broker.grant(Self.reading()) }
            #expect(await fixture.broker.grants.isEmpty && fixture.temporary.names(in: "g").isEmpty)
        }
    }

    /// An adapter that came and went under a watch, which has ended.
    private func news(of fixture: BrokerFixture, _ endpoint: Endpoint, _ before: Adapter) async throws -> Adapter {
        let (open, news) = try await fixture.broker.watch()
        #expect(open == [before])
        let adapter = try await fixture.open(endpoint)
        try await fixture.broker.close(adapter.id, because: .holderGone)
        await fixture.store.lock()
        var told: [AdapterNews] = []
        for await item in news {
            told.append(item)
            if told.count == 3 { break }
        }
        #expect(told == [.opened(adapter), .ended(adapter, .holderGone), .ended(before, .vaultLocked)])
        return adapter
    }

    @Test("watchers of adapters are told what opens and ends, and why, and one that falls behind is let go")
    func watching() async throws {
        try await withServer { fixture in
            let endpoint = try #require(await fixture.registry.snapshot.endpoints.first)
            let before = try await fixture.open(endpoint)
            let adapter = try await news(of: fixture, endpoint, before)
            try await eventually { await fixture.broker.watchers.isEmpty }

            let slow = try await fixture.broker.watch().news
            for _ in 0..<300 { await fixture.broker.tell(.opened(adapter)) }
            var count = 0
            for await _ in slow { count += 1 }
            #expect(count == 256)
            #expect(await fixture.broker.watchers.isEmpty)
        }
    }
}
