// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore
import NIOHTTP1
import Remoting

/// What an adapter answers to a tool: always a BinMessage, so that any Data Abstract client can read a failure too.
struct AdapterReply {
    /// The exception class of failures that are the daemon's and not the server's.
    static let failureClass = "RelativitydException"

    let status: HTTPResponseStatus
    /// Nil for an answer without a body, to somebody who is no tool.
    let message: BinMessage?
    /// What follows the message's body as far as it is there; nil where that is all.
    private(set) var rest: ScrubbedBody?
    /// Of the whole message; nil while that is not known.
    private let byteCount: Int?
    /// Told of the end of what follows.
    private(set) var use: AdapterUse?

    init(status: HTTPResponseStatus) {
        self.status = status
        message = nil
        byteCount = 0
    }

    /// A whole message; exceptions carry 500 as they do on servers of the vendor. It goes out uncompressed.
    init(_ message: BinMessage) {
        var message = message
        message.header.isCompressed = false
        self.message = message
        byteCount = message.byteCount
        status = message.header.kind == .exception ? .internalServerError : .ok
    }

    /// The server's reply.
    ///
    /// - Parameter use: of the adapter, a call of which ends with the reply.
    init(_ reply: PassingReply, _ use: AdapterUse? = nil) {
        message = reply.start
        rest = reply.rest
        byteCount = reply.byteCount
        status = reply.start.header.kind == .exception ? .internalServerError : .ok
        self.use = use
    }

    init(_ error: any Error, to request: ByteBuffer) {
        var start = request
        let tool = (try? MessageHeader(from: &start))?.clientID ?? .nobody
        let exception = RemotingException(className: Self.failureClass, message: "\(error)")
        let message = ReplyMessage.encode(exception, to: tool)
        self.message = message
        byteCount = message.byteCount
        status = Self.status(of: error)
    }

    /// Whether the tool finds the end of the reply without the end of the connection. HTTP/1.0 has no chunks.
    func isFramed(for version: HTTPVersion) -> Bool { byteCount != nil || version != .http1_0 }

    /// The head of the reply to a request of `version`. Without a length NIO's encoder sends chunks, if the tool knows them.
    func head(for version: HTTPVersion, keepsConnection: Bool) -> HTTPResponseHead {
        var headers: HTTPHeaders = ["Content-Type": "application/octet-stream"]
        if let byteCount { headers.add(name: "Content-Length", value: String(byteCount)) }
        if !keepsConnection { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: isFramed(for: version) ? .http1_1 : .http1_0, status: status, headers: headers)
    }

    /// The bytes of the message as far as they are there: its header and its body.
    var parts: [ByteBuffer] {
        guard let message else { return [] }
        var header = ByteBuffer()
        message.header.write(to: &header)
        return [header, message.body]
    }

    private static func status(of error: any Error) -> HTTPResponseStatus {
        switch error {
        case let error as BrokerError:
            switch error {
            case .closed, .overloaded: .serviceUnavailable
            case .loginRejected, .loginNeeded, .plaintextNotAllowed, .reloginBlocked, .otherLogin, .otherExtra,
                .noLogin,
                .refused:
                .forbidden
            case .identityConflict, .identityUnverified, .ownerUnknown: .conflict
            default: .badGateway
            }
        case RemotingError.tooLarge: .payloadTooLarge
        case is RemotingError: .badRequest
        case is CredentialError: .forbidden
        default: .internalServerError
        }
    }
}
