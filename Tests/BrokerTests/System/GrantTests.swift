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

@Suite(.everyReplyShape, .endsStarted) struct GrantTests {
    private func loggedIn(
        audit: String? = nil
    ) async throws -> BrokerFixture {
        let fixture = try await BrokerFixture(audit: audit)
        let server = try await fixture.sampleServer()
        try await fixture.login(to: try await fixture.endpoint(at: server.addresses.first))
        return fixture
    }

    private static func reading(_ time: Duration = .seconds(600)) -> GrantRequest {
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.isReadOnly = true
        request.time = time
        return request
    }

    private static func request(_ method: String, compressed: Bool = false) throws -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: ClientID(), service: "DataService", method: method)
        writer.write(utf8: String(repeating: " ", count: 5_000))
        return compressed ? try BinMessage(decoding: writer.buffer).encoded(compressingFrom: 1) : writer.buffer
    }

    @Test("the call in the documentation is one that a read-only grant accepts")
    func documented() async throws {
        let page = TextFile.text(of: Sources.root + "/docs/how-to/connect-a-tool.md")
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("xxd -r -p > call.bin") })
        let digits = lines[(begin + 1)...].prefix { $0 != "END" }.joined()
        let call = ByteBuffer(bytes: try #require(HexText.decode(digits)))
        let fixture = try await loggedIn()
        let grant = try await fixture.broker.grant(Self.reading())
        let answer = try await Tool.call(grant.socketPath, call)
        #expect(answer.status == 200 && answer.exception == nil)
        var values = try ReplyMessage.values(of: answer.body, to: "GetData")
        let stream = try #require(try values.readBinary())
        let tables = try TableStream(decoding: stream).tables
        #expect(tables.map(\.name) == ["Deps"] && tables[0].rows.count == 3)
    }

    @Test("a grant permits only its calls, compressed or not, and answers logins on its own")
    func calls() async throws {
        let fixture = try await loggedIn()
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

    @Test("revoking a grant removes its socket and directory, and closes its connections")
    func revocation() async throws {
        let fixture = try await loggedIn()
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

    @Test("a grant survives a lock, reports the locked vault meanwhile, and expires with its time and its login")
    func ends() async throws {
        let fixture = try await loggedIn()
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

    @Test("grants are recorded in the audit log before they are made, and without the log there are none")
    func audited() async throws {
        let fixture = try await loggedIn(audit: "audit")
        let grant = try await fixture.broker.grant(Self.reading())
        let log = { TestSupport.TextFile.text(of: fixture.temporary.path(of: "audit/audit.jsonl")) }
        #expect(
            log().contains(#""event":"grant.changed""#)
                && log().contains(#""grant":"\#(grant.id)","change":"added""#)
        )
        for _ in 0..<3 { #expect(try await Tool.call(grant.socketPath, try Self.request("UpdateData")).status == 403) }
        try await eventually { log().contains(#""event":"grant.refused","result":"refused""#) }
        try await fixture.broker.revoke(grant.id)
        #expect(log().contains(#""grant":"\#(grant.id)","change":"revoked""#))
        #expect(log().split(separator: "grant.refused").count == 2, "one line a minute")

        // The path is too long for a socket.
        let hopeless = Grant(
            id: "beef",
            directory: fixture.temporary.path(of: String(repeating: "x", count: 100)),
            login: grant.login,
            loginName: grant.loginName,
            chooser: grant.chooser,
            endpoint: grant.endpoint,
            endpointName: grant.endpointName,
            filter: grant.filter,
            peer: nil,
            created: grant.created,
            expires: grant.expires
        )
        let login = try #require(try await fixture.store.logins().first)
        await #expect(throws: (any Error).self) {
            try await fixture.broker.open(hopeless, of: login, for: .seconds(60))
        }
        #expect(log().contains(#""grant":"beef","change":"revoked""#))

        // A file replaces the log's directory.
        let broken = try await loggedIn(audit: "audit")
        rename(broken.temporary.path(of: "audit"), broken.temporary.path(of: "gone"))
        broken.temporary.write([], to: "audit")
        await #expect(throws: CredentialError.self) { try await broken.broker.grant(Self.reading()) }
        #expect(await broken.broker.grants.isEmpty && broken.temporary.names(in: "g").isEmpty)
    }

    @Test("endpoint settings take effect immediately, for open adapters and for grants")
    func constraints() async throws {
        let fixture = try await loggedIn()
        let endpoint = try #require(await fixture.registry.snapshot.endpoints.first)
        let adapter = try await fixture.open(endpoint)
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.methods = ["GetSchema", "UpdateData"]
        let grant = try await fixture.broker.grant(request)
        func statuses() async throws -> [Int] {
            var statuses: [Int] = []
            for path in [adapter.socketPath, grant.socketPath] {
                for method in ["GetSchema", "UpdateData"] {
                    statuses.append(try await Tool.call(path, try Self.request(method)).status)
                }
            }
            return statuses
        }
        // The sample server answers UpdateData with an exception of its own.
        #expect(try await statuses() == [200, 500, 200, 500])
        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.isReadOnly = true })
        #expect(try await statuses() == [200, 403, 200, 403])
        let only = EndpointSettings {
            $0.isReadOnly = false; $0.isForGrantsOnly = true
        }
        let restricted = try await fixture.registry.set(endpoint.id, only)
        #expect(try await statuses() == [403, 403, 200, 500])
        await #expect(throws: BrokerError.refused(.grantsOnly)) { try await fixture.open(restricted) }
        for isAnonymous in [false, true] {
            await #expect(throws: BrokerError.refused(.grantsOnly)) {
                try await fixture.broker.capture(
                    NamedUse(restricted.id.text, isAnonymous: isAnonymous),
                    triesWrongPassword: false
                )
            }
        }
        _ = try await fixture.registry.set(endpoint.id, EndpointSettings { $0.isForGrantsOnly = false })
        #expect(try await statuses() == [200, 500, 200, 500])
    }

    /// An adapter that came and went under a watch, which has ended.
    private func events(of fixture: BrokerFixture, _ endpoint: Endpoint, _ before: Adapter) async throws {
        let (open, events) = try await fixture.broker.watch()
        #expect(open == [before])
        let adapter = try await fixture.open(endpoint)
        try await fixture.broker.close(adapter.id, because: .holderGone)
        await fixture.store.lock()
        var told: [AdapterEvent] = []
        for await item in events {
            told.append(item)
            if told.count == 3 { break }
        }
        #expect(told == [.opened(adapter), .ended(adapter, .holderGone), .ended(before, .vaultLocked)])
    }

    @Test("watchers of adapters receive openings and closings with the reason")
    func watching() async throws {
        let fixture = try await loggedIn()
        let endpoint = try #require(await fixture.registry.snapshot.endpoints.first)
        let before = try await fixture.open(endpoint)
        try await events(of: fixture, endpoint, before)
        try await eventually { await fixture.broker.watcherCount == 0 }
    }
}
