// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore
import NIOHTTP1
import Remoting

/// What an adapter answers to a tool: always a BinMessage, so that any Data Abstract client can read a failure too.
struct AdapterReply {
    /// The exception class of failures that are the daemon's and not the server's.
    static let failureClass = "RelativitydException"

    /// How a tool tells where the answer ends.
    enum Framing {
        case length(Int)
        case chunked
        /// With the connection, for tools that know no chunks.
        case close
    }

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

    func framing(for version: HTTPVersion) -> Framing {
        if let byteCount { return .length(byteCount) }
        return version.major == 1 && version.minor == 0 ? .close : .chunked
    }

    /// The bytes before the message's body: HTTP's head, and the message's header.
    func start(_ framing: Framing, keepsConnection: Bool) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(192)
        bytes.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        bytes.writeStaticString("Content-Type: application/octet-stream\r\n")
        switch framing {
        case .length(let count):
            bytes.writeStaticString("Content-Length: ")
            bytes.writeString(String(count))
            bytes.writeStaticString("\r\n")
        case .chunked: bytes.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .close: break
        }
        bytes.writeStaticString(keepsConnection ? "\r\n" : "Connection: close\r\n\r\n")
        if case .chunked = framing, let message { bytes.writeString(Self.chunkHead(message.byteCount)) }
        message?.header.write(to: &bytes)
        return bytes
    }

    static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
    static let chunkEnd = ByteBuffer(string: "\r\n")

    static func chunkHead(_ count: Int) -> String { "\(String(count, radix: 16))\r\n" }

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
