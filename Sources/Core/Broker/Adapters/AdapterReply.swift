// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import NIOHTTP1
import Remoting

/// The reply of an adapter to a tool. A failure is a BinMessage too, so that any Data Abstract client can read it.
struct AdapterReply {
    /// The exception class of failures that come from the daemon and not from the server.
    static let failureClass = "RelativitydException"

    let status: HTTPResponseStatus
    /// Nil for a reply to a GET, and for one without a body to a client that is not a tool.
    let message: BinMessage?
    /// The part of the message's body that has not arrived yet; nil if the message is complete.
    private(set) var rest: ScrubbedBody?
    /// Bytes of the complete message; nil if not known yet.
    private let byteCount: Int?
    /// The body of a reply that is no message.
    private var page: ByteBuffer?
    /// What became of the call; nil if the reply is the server's, or if the call was refused.
    private var failure: AdapterFailure?
    /// Notified when the rest has ended.
    private(set) var use: AdapterUse?

    init(status: HTTPResponseStatus, _ page: ByteBuffer = ByteBuffer()) {
        self.status = status
        message = nil
        byteCount = page.readableBytes
        self.page = page
    }

    /// A complete message, sent uncompressed. An exception has status 500, as on the vendor's servers.
    init(_ message: BinMessage) {
        var message = message
        message.header.isCompressed = false
        self.message = message
        byteCount = message.byteCount
        status = message.header.kind == .exception ? .internalServerError : .ok
    }

    /// The server's reply.
    ///
    /// - Parameter use: counts the call of the adapter that ends with the reply.
    init(_ reply: PassingReply, _ use: AdapterUse? = nil) {
        message = reply.start
        rest = reply.rest
        byteCount = reply.byteCount
        status = reply.start.header.kind == .exception ? .internalServerError : .ok
        self.use = use
    }

    /// The server's reply to a GET.
    init(_ page: ServerPage) {
        self.init(status: HTTPResponseStatus(statusCode: page.status), page.body)
    }

    init(_ error: any Error, to request: ByteBuffer = ByteBuffer()) {
        var start = request
        let tool = (try? MessageHeader(from: &start))?.clientID ?? .zero
        let exception = RemotingException(className: Self.failureClass, message: "\(error)")
        let message = ReplyMessage.encode(exception, to: tool)
        self.message = message
        byteCount = message.byteCount
        status = Self.status(of: error)
        failure = AdapterFailure(of: error)
    }

    /// Whether the tool can find the end of the reply without the end of the connection. HTTP/1.0 has no chunks.
    func isFramed(for version: HTTPVersion) -> Bool { byteCount != nil || version != .http1_0 }

    /// The head of the reply to a request of `version`. Without a length, NIO's encoder sends chunks if the tool
    /// supports them.
    func head(for version: HTTPVersion, keepsConnection: Bool) -> HTTPResponseHead {
        var headers: HTTPHeaders = ["Content-Type": "application/octet-stream"]
        if let byteCount { headers.add(name: "Content-Length", value: String(byteCount)) }
        if let failure { headers.add(name: AdapterFailure.header, value: failure.rawValue) }
        if !keepsConnection { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: isFramed(for: version) ? .http1_1 : .http1_0, status: status, headers: headers)
    }

    /// The message's header and the part of its body that has arrived, or the page.
    var parts: [ByteBuffer] {
        guard let message else { return [page].compactMap(\.self) }
        var header = ByteBuffer()
        message.header.write(to: &header)
        return [header, message.body]
    }

    /// The HTTP status of a failure. The local API has other statuses for some of these errors, on purpose: see
    /// `DaemonError.Row` in LocalAPI, and the table of adapters in docs/local-api.md.
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

extension AdapterFailure {
    fileprivate init?(of error: any Error) {
        switch error {
        case BrokerError.unreachable(let reason):
            switch reason.code {
            case .brokenOff: self = .cutReply
            case .noAnswer, .closed, .tlsFailed, .error: self = .noReply
            default: self = .notSent
            }
        case BrokerError.protocolFailure, BrokerError.server: self = .badReply
        default: return nil
        }
    }
}
