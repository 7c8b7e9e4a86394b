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

    init(status: HTTPResponseStatus) {
        self.status = status
        message = nil
    }

    /// The server's reply; exceptions carry 500 as they do on servers of the vendor. It goes out uncompressed.
    init(_ message: BinMessage) {
        var message = message
        message.header.isCompressed = false
        self.message = message
        status = message.header.kind == .exception ? .internalServerError : .ok
    }

    init(_ error: any Error, to request: ByteBuffer) {
        var start = request
        let tool = (try? MessageHeader(from: &start))?.clientID ?? .nobody
        let exception = RemotingException(className: Self.failureClass, message: "\(error)")
        message = ReplyMessage.encode(exception, to: tool)
        status = Self.status(of: error)
    }

    /// The bytes before the message's body: HTTP's head, and the message's header.
    func start(keepsConnection: Bool) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(192)
        bytes.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        bytes.writeStaticString("Content-Type: application/octet-stream\r\nContent-Length: ")
        bytes.writeString(String(message?.byteCount ?? 0))
        bytes.writeStaticString(keepsConnection ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n")
        message?.header.write(to: &bytes)
        return bytes
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
