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

    /// - Parameter loginService: the endpoint's; the usual name counts too. Names are compared without case, as servers do.
    /// - Throws: `RemotingError` for what is no request.
    init(_ bytes: ByteBuffer, loginService: String) throws(RemotingError) {
        var start = bytes
        let header = try MessageHeader(from: &start)
        guard header.kind == .message else {
            throw .malformed(reason: "an adapter of the form socket takes requests only, no polls or events")
        }
        let request = try RequestMessage(decoding: bytes)
        let loginServices = [loginService, ServiceNames.relativity.login].map { $0.lowercased() }
        guard loginServices.contains(request.service.lowercased()) else {
            self = .forward(bytes, tool: header.clientID)
            return
        }
        var values = BinMessageWriter()
        switch request.method.lowercased() {
        case "loginex":
            values.write(true)
        case "login":
            values.write(true)
            Self.writeEmptyUserInfo(to: &values)
        case "logout":
            break
        default:
            self = .forward(bytes, tool: header.clientID)
            return
        }
        self = .answer(ReplyMessage.encode(values, to: request).encoded())
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
