// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import Glibc
import NIOCore
import NIOHTTP1
import Remoting
import Testing

@testable import Broker

@Suite struct ToolRequestTests {
    private let id = ClientID()

    private let own = Account(user: "jane", domain: "Sales", schema: "Orders")

    private func rules(_ service: String = "LoginService", takesPolls: Bool = false) -> AdapterRules {
        AdapterRules(loginService: service, login: own, route: .adapter(sharesSession: !takesPolls))
    }

    /// A call that logs in or out.
    private func login(_ service: String, _ method: String, as text: String = "jane") -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: id, service: service, method: method)
        switch method.lowercased() {
        case "loginex": writer.write(utf8: "User Id=\"\(text)\";Password=\"whatever\"")
        case "login":
            writer.write(utf8: text)
            writer.write(utf8: "whatever")
        default: break
        }
        return writer.buffer
    }

    private func request(_ service: String, _ method: String) -> ByteBuffer {
        RequestMessage.writer(clientID: id, service: service, method: method).buffer
    }

    private func isAnswered(_ bytes: ByteBuffer, service: String = "LoginService") throws -> Bool {
        switch try ToolRequest(bytes, rules(service)) {
        case .answer(let reply):
            #expect(reply.header.clientID == id)
            return true
        case .forward(let message, let tool, _):
            #expect(message == bytes)
            #expect(tool == id)
            return false
        }
    }

    @Test("only a call that is known to change nothing may be sent a second time")
    func repeatable() throws {
        for (method, expected) in ["GetSchema": true, "UpdateData": false, "SQLGetData": false, "Own": false] {
            guard case .forward(_, _, let isRepeatable) = try ToolRequest(request("DataService", method), rules())
            else {
                Issue.record("\(method) is not forwarded")
                continue
            }
            #expect(isRepeatable == expected, "\(method)")
        }
    }

    @Test("login calls are answered by the adapter, ignoring case, and other calls are forwarded")
    func kinds() throws {
        for method in ["LoginEx", "Login", "Logout", "LOGINEX", "logout"] {
            #expect(try isAnswered(login("LoginService", method)))
            #expect(try isAnswered(login("loginservice", method)))
            #expect(try isAnswered(login("Own", method), service: "own"))
            #expect(try isAnswered(login("LoginService", method), service: "Own"))
            // Each of these could end a session or make it another user's.
            for other in ["BaseLoginService", "SimpleLoginService", "MultiDbLoginService", "multidbloginservicev5"] {
                #expect(try isAnswered(login(other, method)))
            }
            #expect(try !isAnswered(login("DataService", method)))
        }
        #expect(try !isAnswered(request("LoginService", "GetUserInfo")))
        #expect(try !isAnswered(request("MultiDbLoginServiceV5", "GetConnectionNames")))
        #expect(try !isAnswered(request("DataService", "GetSchema")))
    }

    @Test("a login returns true and a logout an empty reply, whatever the password")
    func answers() throws {
        guard case .answer(let reply) = try ToolRequest(login("LoginService", "LoginEx"), rules()) else {
            return #expect(Bool(false))
        }
        #expect(try LoginReply.decode(reply.encoded()))
        guard case .answer(let logout) = try ToolRequest(login("LoginService", "Logout"), rules()) else {
            return #expect(Bool(false))
        }
        #expect(try ReplyMessage.values(of: logout.encoded()).remaining == 0)
    }

    @Test("the reply to Login has every declared value, and no other byte")
    func userInfo() throws {
        guard case .answer(let reply) = try ToolRequest(login("LoginService", "Login"), rules()) else {
            return #expect(Bool(false))
        }
        var reader = try ReplyMessage.values(of: reply.encoded())
        for result in ServiceCatalog.simpleLogin.results {
            _ = try reader.readValue(result.type, ServiceCatalog.structs)
        }
        #expect(reader.remaining == 0)
    }

    @Test("a tool may log in only as the adapter's own user, domain and schema, and may omit them")
    func otherLogins() throws {
        let good = [
            "", "Password=x", "User Id=jane", "User=\"JANE\";Domain=sales;Schema=ORDERS", "User Id=;Domain=;Schema=",
            "user id=\"jane\";Password=\"p\";Domain=\"Sales\";Schema=\"Orders\";Extra=1",
        ]
        for text in good { try own.check(loginString: Array(text.utf8)) }
        for (text, field, asked) in [
            ("User Id=joe;Domain=Sales", "user", "joe"), ("User Id=jane;Domain=Sale", "domain", "Sale"),
            ("User Id=jane;Schema=\"Or;ders\"", "schema", "Or;ders"), ("Domain=\u{1b}", "domain", "\u{1b}"),
        ] {
            let error = BrokerError.otherLogin(field: field, asked: asked)
            #expect(throws: error) { try own.check(loginString: Array(text.utf8)) }
            #expect("\(error)".contains(field) && !"\(error)".contains("\u{1b}"))
        }
        for text in ["jane", "User Id=\"jane", "User Id=a;User=b"].map({ Array($0.utf8) })
            + [Array("Domain=".utf8) + [0xFF]]
        {
            #expect(throws: RemotingError.self) { try own.check(loginString: text) }
        }
        #expect(throws: BrokerError.otherLogin(field: "user", asked: "joe")) {
            try ToolRequest(login("SimpleLoginService", "Login", as: "joe"), rules())
        }
        #expect(throws: RemotingError.self) { try ToolRequest(request("LoginService", "LoginEx"), rules()) }
        for method in ["Login", "LoginEx"] {
            #expect(throws: BrokerError.noLogin) {
                try ToolRequest(
                    login("LoginService", method),
                    AdapterRules(loginService: "", login: nil)
                )
            }
        }
    }

    @Test("a compressed login call is answered by the adapter too")
    func compressed() throws {
        var message = try BinMessage(decoding: request("LoginService", "Logout"))
        message.body.writeRepeatingByte(0, count: 5_000)
        #expect(try isAnswered(message.encoded(compressingFrom: 1)))
    }

    @Test("polls, events, exceptions, replies of envelopes and garbage are refused")
    func refused() throws {
        for kind in [MessageKind.exception, .event, .pollResponse] {
            let message = BinMessage(header: MessageHeader(kind: kind, clientID: id), body: ByteBuffer())
            #expect(throws: RemotingError.self) { try ToolRequest(message.encoded(), rules()) }
        }
        for text in ["", "R", "RO107", "ROENV" + String(repeating: "x", count: 60), String(repeating: "z", count: 99)] {
            #expect(throws: RemotingError.self) { try ToolRequest(ByteBuffer(string: text), rules("")) }
        }
    }

    @Test("only complete polls pass, and only if the session is the adapter's own")
    func polls() throws {
        let poll = PollRequest(clientID: id, eventLimit: 3).encoded()
        #expect(throws: BrokerError.refused(.pollNeedsOwnSession)) { try ToolRequest(poll, rules()) }
        guard case .forward(let message, let tool, _) = try ToolRequest(poll, rules(takesPolls: true)) else {
            return #expect(Bool(false))
        }
        #expect(message == poll && tool == id)
        let cut = try #require(poll.getSlice(at: poll.readerIndex, length: poll.readableBytes - 1))
        #expect(throws: RemotingError.self) { try ToolRequest(cut, rules(takesPolls: true)) }
    }

    @Test("a request that is truncated at any byte is refused")
    func truncated() throws {
        let whole = request("LoginService", "Logout")
        let packed = try BinMessage(decoding: whole).encoded(compressingFrom: 1)
        for bytes in [whole, packed] {
            for length in 0..<bytes.readableBytes {
                let part = try #require(bytes.getSlice(at: bytes.readerIndex, length: length))
                #expect(throws: RemotingError.self, "\(length)") { try ToolRequest(part, rules()) }
            }
        }
    }

    @Test("a failure becomes an exception with the tool's own ClientID and a matching status")
    func statuses() throws {
        let cases: [(any Error, UInt)] = [
            (BrokerError.closed, 503), (BrokerError.loginRejected(login: "l", reason: "r"), 403),
            (BrokerError.loginNeeded(endpoint: "e"), 403), (BrokerError.plaintextNotAllowed(reason: "r"), 403),
            (BrokerError.reloginBlocked, 403), (BrokerError.unreachable(StateReason(code: .noAnswer)), 502),
            (BrokerError.identityConflict(StateReason(code: .tlsGone)), 409), (BrokerError.identityUnverified, 409),
            (BrokerError.protocolFailure(reason: "r"), 502),
            (RemotingError.tooLarge(limit: 1), 413), (RemotingError.malformed(reason: "r"), 400),
            (CredentialError.locked, 403), (CancellationError(), 500),
        ]
        let call = request("DataService", "GetSchema")
        for (error, status) in cases {
            let reply = AdapterReply(error, to: call)
            #expect(reply.status.code == status, "\(error)")
            let message = try #require(reply.message)
            let exception = try #require(try ReplyMessage.exception(in: message.encoded()))
            #expect(exception == RemotingException(className: AdapterReply.failureClass, message: "\(error)"))
            #expect(message.header.clientID == id)
        }
        let other = AdapterReply(BrokerError.closed, to: ByteBuffer(string: "garbage"))
        #expect(other.message?.header.clientID == .zero)
    }

    @Test("a failure of the server has a header that says what became of the call")
    func failures() {
        let cases: [(any Error, AdapterFailure?)] = [
            (BrokerError(RemotingError.unreachable(.timeout)), .notSent),
            (BrokerError(RemotingError.unreachable(.system(errno: ECONNREFUSED))), .notSent),
            (BrokerError.unreachable(StateReason(code: .lookUpFailed)), .notSent),
            (BrokerError(RemotingError.interrupted(.closedBeforeReply)), .noReply),
            (BrokerError(RemotingError.deadline), .noReply),
            (BrokerError(RemotingError.interrupted(.tlsFailed)), .noReply),
            (BrokerError(RemotingError.interrupted(.closedDuringReply)), .cutReply),
            (BrokerError(RemotingError.httpStatus(404)), .badReply), (BrokerError.closed, nil),
            (CredentialError.locked, nil),
        ]
        for (error, failure) in cases {
            let head = AdapterReply(error).head(for: .http1_1, keepsConnection: true)
            #expect(head.headers["Relativityd-Failure"] == [failure?.rawValue].compactMap(\.self), "\(error)")
        }
    }

    @Test("the server's own exceptions keep the status 500, and replies have 200")
    func serverReplies() throws {
        let exception = ReplyMessage.encode(.sessionNotFound, to: id)
        #expect(AdapterReply(exception).status == .internalServerError)
        let reply = ReplyMessage.encode(BinMessageWriter(), to: try RequestMessage(decoding: request("a", "b")))
        #expect(AdapterReply(reply).status == .ok)
    }
}
