// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import Locks
import NIOCore
import Platform
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

/// Reports on honest servers, and on servers that repeat their input in every form.
@Suite("Reports on servers", .endsStarted)
struct CaptureTests {
    private static let password = "Tr0ub4dor&3"

    /// All bytes of an exchange that the report contains.
    private func everything(_ exchange: CapturedExchange) -> [UInt8] {
        var bytes = exchange.request + (exchange.reply ?? [])
        let texts = exchange.headers + exchange.notes.compactMap(\.text) + [exchange.error ?? ""]
        for text in texts { bytes += text.utf8 }
        return bytes
    }

    private func text(_ exchanges: [CapturedExchange]) -> String {
        AnsiString(bytes: exchanges.flatMap(everything)).text
    }

    @Test("the report contains all replies of the sample server, and the session is logged out")
    func sampleServer() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let exchanges = try await fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: true)
        #expect(exchanges.map(\.step) == [.expiry, .login, .exception, .schema, .logout, .wrongPassword])
        #expect(exchanges.map(\.status) == [500, 200, 500, 200, 200, 200])
        #expect(exchanges.allSatisfy { $0.error == nil && $0.reply?.isEmpty == false })
        #expect(exchanges[0].notes.contains(CaptureNote(code: .exception, text: "SessionNotFoundException")))
        #expect(exchanges[1].notes.contains(CaptureNote(code: .sameClientID)))
        #expect(exchanges[2].notes.contains(CaptureNote(code: .exception, text: "Exception")))
        #expect(exchanges[3].notes.contains { $0.code == .schemaElement })
        #expect(!text(exchanges).contains("DepName"), "of a schema only the names of elements are told")
        #expect(exchanges.allSatisfy { $0.headers.contains { $0.lowercased().hasPrefix("content-length: ") } })
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
        #expect(try fixture.calls("LoginService.Logout") == 1)
        #expect(!text(exchanges).contains("simple"))
    }

    @Test("without a login none is sent, and a wrong password is sent only if requested")
    func anonymous() async throws {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        let steps = try await fixture.broker.capture(
            NamedUse(endpoint.id.text, isAnonymous: true),
            triesWrongPassword: false
        ).map(\.step)
        #expect(steps == [.expiry, .exception, .schema])
        #expect(try fixture.calls("LoginService.LoginEx") == 0)
        try await fixture.login(to: endpoint)
        _ = try await fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: false)
        #expect(try fixture.calls("LoginService.LoginEx") == 1)
    }

    /// The encodings of a secret that a server may send.
    static let forms: [(name: String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("raw", { $0 }),
        ("hexadecimal", { Array(HexText.encode($0).utf8) }),
        ("hexadecimal in capitals", { Array(HexText.encode($0).uppercased().utf8) }),
        ("Base64", { Array(Base64.encode($0).utf8) }),
        ("Base64 within other text", { Array("id=\(Base64.encode([0x55] + $0));".utf8) }),
        ("UTF-16", { $0.flatMap { [$0, 0] } }),
        ("HTML", { escaped($0) { "&#\($0);" } }),
        ("JSON", { escaped($0) { "\\u00" + HexText.encode([$0]) } }),
        ("percent", { escaped($0) { "%" + HexText.encode([$0]) } }),
        ("quoted-printable", { escaped($0) { "=" + HexText.encode([$0]).uppercased() } }),
    ]

    /// Escapes everything except letters and digits.
    private static func escaped(_ bytes: [UInt8], _ escape: (UInt8) -> String) -> [UInt8] {
        bytes.flatMap { byte in
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            let isPlain = letters.contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return isPlain ? [byte] : Array(escape(byte).utf8)
        }
    }

    @Test(
        "if a server repeats password, login string and ClientID, the report contains none of them",
        arguments: forms.indices
    )
    func canary(index: Int) async throws {
        let (name, form) = Self.forms[index]
        for isCompressed in [false, true] {
            let fixture = try await BrokerFixture()
            let server = try await ScriptedServer(on: fixture.loop) { request in
                Self.echo(of: request, as: form, isCompressed: isCompressed)
            }
            let endpoint = try await fixture.endpoint(at: server.address)
            try await fixture.login(to: endpoint, password: Self.password)
            let exchanges = try await fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: true)
            #expect(exchanges.count == 6 && exchanges.allSatisfy { $0.status == 500 }, "\(name)")
            var secrets = [Array(Self.password.utf8), Array("Password=\"".utf8)]
            for id in server.clientIDs {
                secrets += [id.withWireBytes { Array($0) }, Array(id.revealedText().utf8.dropFirst().dropLast())]
            }
            #expect(secrets.count == 8)
            let report = exchanges.flatMap(everything)
            for secret in secrets {
                for (other, form) in Self.forms {
                    let isFound = report.contains(bytes: form(secret))
                    #expect(!isFound, "\(name), found as \(other)")
                }
            }
        }
    }

    @Test("if the reply to a login is not a BinMessage, the report contains only its size")
    func foreignAnswer() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            // ROT13, a form that is not searched for.
            let text = request.method == "LoginEx" ? "Ge0ho4qbe" : "plain words"
            return .text("HTTP/1.1 500 X\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint, password: Self.password)
        let exchanges = try await fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: true)
        #expect(exchanges.count == 6 && !text(exchanges).contains("Ge0ho4qbe"))
        for exchange in exchanges where exchange.step.isLogin {
            #expect(exchange.reply == nil)
            #expect(exchange.notes.contains(CaptureNote(code: .loginReplyOmitted, count: 9)))
        }
        #expect(exchanges.filter { !$0.step.isLogin }.allSatisfy { $0.reply == Array("plain words".utf8) })
    }

    /// An exception whose text and headers contain the complete input.
    private static func echo(
        of request: RequestMessage,
        as form: ([UInt8]) -> [UInt8],
        isCompressed: Bool
    ) -> ScriptedServer.Reply {
        let id = request.clientID.withWireBytes { Array($0) }
        let parameters = Array(request.parameters.rest.readableBytesView)
        var body = BinMessageWriter()
        body.write(ansi: AnsiString(bytes: form(id)))
        body.write(ansi: AnsiString(bytes: form(Array(request.clientID.revealedText().utf8)) + form(parameters)))
        let header = MessageHeader(kind: .exception, clientID: request.clientID)
        let message = BinMessage(header: header, body: body.buffer).encoded(compressingFrom: isCompressed ? 0 : nil)
        let text = HexText.encode(parameters) + HexText.encode(id)
        let head =
            "HTTP/1.1 500 X\r\nServer: \(text)\r\nSet-Cookie: id=\(text)\r\n"
            + "Content-Length: \(message.readableBytes)\r\n\r\n"
        return .bytes(Array(head.utf8) + Array(message.readableBytesView))
    }

    @Test("an untrusted server gets no data, and a server that does not respond is an error in the report")
    func refusals() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { _ in .bytesThenClose([]) }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint, pin: .loopback(.otherLocalhost, port: 1))
        await #expect(throws: BrokerError.self) {
            try await fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: false)
        }
        #expect(server.received == 0)
        let exchanges = try await fixture.broker.capture(
            NamedUse(endpoint.id.text, isAnonymous: true),
            triesWrongPassword: false
        )
        #expect(exchanges.count == 3 && exchanges.allSatisfy { $0.error != nil && $0.reply == nil })
    }

    @Test("a caller that waits for the login of a report does not wait for the rest of the report")
    func line() async throws {
        let fixture = try await BrokerFixture()
        let isHeld = Lock(true)
        let isOver = Lock(false)
        let server = try await ScriptedServer(on: fixture.loop) { request in
            // The call after the report's login.
            request.method == "RelativitydUnknownMethod" && isHeld.withLock { $0 } ? .bytes([]) : .accepted(request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        async let report: Void = {
            _ = try await fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: true)
            isOver.withLock { $0 = true }
        }()
        try await eventually { server.count("RelativitydUnknownMethod") == 1 }
        _ = try await fixture.open(endpoint)
        #expect(server.count("LoginEx") == 2 && !isOver.withLock { $0 })
        isHeld.withLock { $0 = false }
        await server.hangUp()
        try await report
        #expect(server.count("LoginEx") == 3)
    }

    @Test(
        "if the vault is locked while the server delays, the password is not sent"
    )
    func lockOnTheWay() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            request.method == "GetSchema" ? .bytes([]) : .accepted(request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        async let exchanges = fixture.broker.capture(NamedUse(endpoint.id.text), triesWrongPassword: true)
        try await eventually { server.count("GetSchema") == 1 }
        await fixture.store.lock()
        await server.hangUp()
        do {
            _ = try await exchanges
            Issue.record("the report went on")
        } catch {
            #expect(error as? CredentialError == .locked)
        }
        #expect(server.count("LoginEx") == 0)
    }
}
