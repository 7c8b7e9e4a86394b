// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import NIOCore
import NIOPosix
import Registry
import Remoting
import Testing

@testable import Broker

/// Servers that answer a login with the received password. No text for the user may contain any of it.
@Suite("Servers that repeat the password", .endsStarted)
struct RepeatedPasswordTests {
    private static let password = "Tr0ub4dor&<3>"

    /// The form in which the server repeats it, and whether the text is withheld. Otherwise the text is not used at
    /// all.
    static let echoes: [(String, isWithheld: Bool, @Sendable (RequestMessage) -> ScriptedServer.Reply)] = [
        ("class name", true, { exception(Array("E\(password)".utf8), Array("no".utf8), $0) }),
        ("text", true, { exception([0x58], Array("user 'simple' with '\(password)' is wrong".utf8), $0) }),
        ("UTF-16 in the text", true, { exception([0x58], password.utf8.flatMap { [$0, 0] }, $0) }),
        ("HTML in the text", true, { exception([0x58], Array("'Tr0ub4dor&amp;&lt;3&gt;'".utf8), $0) }),
        ("JSON in the text", true, { exception([0x58], Array(#""Tr0ub4dor\u0026\u003c3\u003e""#.utf8), $0) }),
        ("a URL in the text", true, { exception([0x58], Array("?p=Tr0ub4dor%26%3C3%3E&".utf8), $0) }),
        ("mail in the text", true, { exception([0x58], Array("Tr0ub4dor=26=3C3=\r\n=3E".utf8), $0) }),
        (
            "a long text", true,
            { exception([0x58], [UInt8](repeating: 0x20, count: 80 << 10) + Array(password.utf8), $0) }
        ),
        ("HTTP reason", false, { _ in .text("HTTP/1.1 403 \(password)\r\nContent-Length: 0\r\n\r\n") }),
        (
            "HTTP body and headers", false,
            { _ in .text("HTTP/1.1 500 X\r\nX-P: \(password)\r\nContent-Length: 9\r\n\r\n\(password)") }
        ),
        (
            "redirect", false,
            { _ in .text("HTTP/1.1 302 X\r\nLocation: http://h/\(password)\r\nContent-Length: 0\r\n\r\n") }
        ),
        (
            "a body that is cut short", false,
            { request in
                var start = ByteBuffer(bytes: exceptionBytes([0x58], Array(password.utf8), request).readableBytesView)
                return .message(start.readSlice(length: start.readableBytes - 2) ?? start, status: 500)
            }
        ),
        ("no HTTP", false, { _ in .text("\(password)\r\n\r\n") }),
    ]

    private static func exceptionBytes(_ name: [UInt8], _ text: [UInt8], _ request: RequestMessage) -> ByteBuffer {
        var body = BinMessageWriter()
        for bytes in [name, text] { body.write(ansi: AnsiString(bytes: bytes)) }
        let header = MessageHeader(kind: .exception, clientID: request.clientID)
        return BinMessage(header: header, body: body.buffer).encoded()
    }

    private static func exception(_ name: [UInt8], _ text: [UInt8], _ request: RequestMessage) -> ScriptedServer.Reply {
        .message(exceptionBytes(name, text, request), status: 500)
    }

    @Test("no error of a session or a test contains the password", arguments: echoes.indices)
    func refusals(index: Int) async throws {
        let (name, isWithheld, reply) = Self.echoes[index]
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { reply($0) }
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint, password: Self.password)
        var texts: [String] = []
        do {
            _ = try await fixture.open(endpoint)
        } catch {
            texts.append("\(error) \(String(reflecting: error))")
        }
        texts.append("\(try await fixture.broker.test(login).steps)")
        do {
            try await fixture.connector.tryLogin(Self.trial(of: login), at: endpoint, audit: nil) { use in
                try Array(Self.password.utf8).withUnsafeBytes(use)
            }
        } catch {
            texts.append("\(error) \(String(reflecting: error))")
        }
        let state = await fixture.registry.endpoint(endpoint.id)
        texts.append("\(String(reflecting: state))")
        #expect(texts.count == 4 && server.count("LoginEx") >= 3, "\(name)")
        for text in texts {
            #expect(!text.contains("Tr0ub4dor") && !text.contains("u{0}"), "\(name): \(text)")
        }
        for text in texts.prefix(3) {
            #expect(text.contains("the server's text is withheld because it ") == isWithheld, "\(name): \(text)")
        }
    }

    private static func trial(of login: Login) -> NewLogin {
        NewLogin(
            name: "trial",
            account: Account(user: "simple", domain: "DASamples", schema: "Simple"),
            pinned: PinnedEndpoint(
                endpoint: login.endpoint,
                pin: login.pin,
                allowsPlaintext: true
            )
        )
    }

    @Test("the report of a test contains neither password nor ClientID if the reply to logout has them")
    func logout() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            guard request.method == "Logout" else { return .accepted(request) }
            let id = request.clientID.revealedText()
            return .exception(RemotingException(className: Self.password, message: id), request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint, password: Self.password)
        let steps = try await fixture.broker.test(login).steps
        #expect(steps.map(\.isOK) == [true, true, false])
        let text = "\(steps)"
        #expect(text.contains("the server answered with an exception") && !text.contains(Self.password))
        for id in server.clientIDs { #expect(!text.contains(id.revealedText())) }
    }

    @Test("a text without the password is shown unchanged")
    func harmless() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            .exception(RemotingException(className: "EROException", message: "the domain is unknown"), request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint, password: Self.password)
        await #expect(
            throws: BrokerError.loginRejected(login: "login", reason: "EROException: the domain is unknown")
        ) { try await fixture.open(endpoint) }
    }

    @Test("the message is overwritten, whatever the result of the call", arguments: [true, false])
    func wiping(answers: Bool) async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { answers ? .accepted($0) : .bytesThenClose([]) }
        let target = try RemotingTarget(address: server.address, hostHeader: "h", security: .plain)
        let channel = try RemotingChannel(target: target, loop: fixture.loop)
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint)
        let clientID = ClientID()
        let request = try Array(Self.password.utf8).withUnsafeBytes { password in
            try login.account.request(to: "LoginService", password: password, for: clientID)
        }
        #expect(request.bytes.readableBytesView.contains(0x54))
        try? await LoginCall(channel: channel, clientID: clientID, pool: .singleton).logIn(request, named: "login")
        #expect(server.count("LoginEx") == 1 && request.bytes.readableBytesView.allSatisfy { $0 == 0 })
        await channel.close()
    }
}
