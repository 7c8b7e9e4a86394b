// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Remoting

/// What a tool posted to an adapter, and what becomes of it.
enum ToolRequest {
    /// Goes to the server inside the session; the ClientID is the tool's own.
    case forward(ByteBuffer, tool: ClientID)
    /// LoginEx, Login and Logout are the daemon's affair: it is logged in already, and one tool never logs out another.
    case answer(ByteBuffer)

    /// The login services of Data Abstract (docs/wire.md, "Services"). A server may have several, and each of them could
    /// end the session or turn it into another user's.
    private static let loginServices: Set = [
        "loginservice", "baseloginservice", "simpleloginservice", "multidbloginservice", "multidbloginservicev5",
    ]

    /// Names are compared without case, as servers do.
    ///
    /// - Throws: `RemotingError` for what is no request, `BrokerError.otherLogin` or `.noLogin` for a login that is not
    ///   the adapter's own.
    init(_ bytes: ByteBuffer, _ rules: AdapterRules) throws {
        var start = bytes
        let header = try MessageHeader(from: &start)
        guard header.kind == .message else {
            throw RemotingError.malformed(reason: "an adapter takes requests only, no polls or events")
        }
        let request = try RequestMessage(decoding: bytes)
        let service = request.service.lowercased()
        let isLogin = Self.loginServices.contains(service) || service == rules.loginService.lowercased()
        guard isLogin, let answer = try Self.answer(to: request, rules.login) else {
            self = .forward(bytes, tool: header.clientID)
            return
        }
        self = .answer(ReplyMessage.encode(answer, to: request).encoded())
    }

    /// - Returns: nil for a method that is none of the daemon's affairs.
    private static func answer(to request: RequestMessage, _ login: ToolLogin?) throws -> BinMessageWriter? {
        var parameters = request.parameters
        var values = BinMessageWriter()
        switch request.method.lowercased() {
        case "loginex":
            guard let login else { throw BrokerError.noLogin }
            try login.check(loginString: try parameters.readAnsi().bytes)
            values.write(true)
        case "login":
            guard let login else { throw BrokerError.noLogin }
            try login.check(user: try parameters.readText())
            values.write(true)
            writeEmptyUserInfo(to: &values)
        case "logout":
            break
        default:
            return nil
        }
        return values
    }

    /// A UserInfo without content: a null struct would be read differently by different clients (docs/wire.md).
    private static func writeEmptyUserInfo(to values: inout BinMessageWriter) {
        values.writeAssigned(true)
        values.write(utf8: "UserInfo")
        for _ in ["Attributes", "Privileges"] {
            values.writeAssigned(true)
            values.writeCount(0)
        }
        values.write(utf8: "")
        values.write(Int32(0))
        values.write(utf8: "")
    }
}
