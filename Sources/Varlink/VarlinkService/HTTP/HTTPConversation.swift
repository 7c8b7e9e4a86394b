// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import NIOHTTP1
import Varlink

/// The state of an HTTP connection: one request and the response to it.
///
/// Use on the event loop only. It is a class, so that a connection that speaks Varlink needs space for one pointer
/// only.
final class HTTPConversation {
    private enum Stage {
        case receiving
        /// The next call, or the running one. Its request is taken once.
        case calling(Request?, HTTPRendering, inChunks: Bool)
        /// The response has begun, and more replies follow.
        case streaming(inChunks: Bool)
        case over
    }

    private let face: HTTPFace
    private var stage = Stage.receiving
    /// The bytes of the body that have arrived; 0 after the end of the request.
    var receivedBytes = 0
    /// The request to repeat with `more`, if the method turns out to send several replies.
    private var again: Request?

    init(_ face: HTTPFace) {
        self.face = face
    }

    /// Whether the request is incomplete.
    var isReceiving: Bool { if case .receiving = stage { true } else { false } }

    /// Whether the response is complete, though not necessarily sent.
    var isOver: Bool { if case .over = stage { true } else { false } }

    /// Handles a complete request.
    ///
    /// - Returns: the response, if no call is needed.
    func receive(_ request: HTTPRequest, methods: MethodTable, limits: VarlinkLimits) -> [UInt8]? {
        receivedBytes = 0
        do {
            switch try HTTPRoute(request, face: face, methods: methods, limits: limits) {
            case .health:
                stage = .over
                var bytes: [UInt8] = []
                HTTPAnswer.write(.ok, "text/plain", body: "ok\n".utf8, into: &bytes)
                return bytes
            case .call(let call, let rendering):
                stage = .calling(call, rendering, inChunks: request.takesChunks)
                if rendering == .parameters { again = call.wantingMore }
                return nil
            }
        } catch {
            return fail(error)
        }
    }

    /// - Returns: the response.
    func fail(_ failure: HTTPFailure) -> [UInt8] {
        stage = .over
        var bytes: [UInt8] = []
        HTTPAnswer.write(failure, into: &bytes)
        return bytes
    }

    /// Returns the call to start, once.
    func takeRequest() -> Request? {
        guard case .calling(let request?, let rendering, let inChunks) = stage else { return nil }
        stage = .calling(nil, rendering, inChunks: inChunks)
        return request
    }

    /// Whether to repeat the call with `more`. A user who types a URL cannot know which methods send several replies,
    /// and such a method has done nothing yet when it throws `expectedMore`.
    func callsAgain(after error: any Error) -> Bool {
        guard error as? VarlinkError == .expectedMore, let again, case .calling(nil, _, let inChunks) = stage else {
            return false
        }
        self.again = nil
        stage = .calling(again, .sequence, inChunks: inChunks)
        return true
    }

    /// Appends the bytes that a reply adds to the response.
    func write(_ reply: Reply, into bytes: inout [UInt8]) {
        switch stage {
        case .receiving, .over:
            break
        case .calling(_, let rendering, let inChunks):
            if let error = reply.error {
                let error = HTTPErrorReply(error, reply.object, face: face)
                let contentType = HTTPRendering.parameters.contentType
                HTTPAnswer.write(error.status, contentType, body: HTTPAnswer.line(error.json), into: &bytes)
                stage = .over
            } else if rendering == .sequence {
                HTTPAnswer.writeStreamHead(rendering.contentType, inChunks: inChunks, into: &bytes)
                stage = .streaming(inChunks: inChunks)
                write(reply, into: &bytes)
            } else {
                HTTPAnswer.write(.ok, rendering.contentType, body: reply.body(rendering), into: &bytes)
                stage = .over
            }
        case .streaming(let inChunks):
            let record = reply.record(face)
            if inChunks { HTTPAnswer.writeChunk(record, into: &bytes) } else { bytes += record }
            guard !reply.continues else { return }
            if inChunks { HTTPAnswer.writeLastChunk(into: &bytes) }
            stage = .over
        }
    }
}

extension Request {
    fileprivate var wantingMore: Request { Request(method: method, parameters: parameters, wantsMore: true) }
}

extension Reply {
    fileprivate func body(_ rendering: HTTPRendering) -> [UInt8] {
        switch rendering {
        case .member(let name, _): return Array((object[name]?.stringValue ?? "").utf8)
        case .listing(let listing):
            return HTTPAnswer.line(listing.object(of: object))
        case .definition: return Array((object["description"]?.stringValue ?? "").utf8)
        case .parameters, .sequence: break
        }
        var bytes: [UInt8] = []
        writeParameters(into: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A record between RS and LF (RFC 7464). The last one may be an error, because the status was sent before.
    fileprivate func record(_ face: HTTPFace) -> [UInt8] {
        var bytes: [UInt8] = [0x1E]
        if let error {
            HTTPErrorReply(error, object, face: face).json.serialize(into: &bytes)
        } else {
            writeParameters(into: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// A complete request.
struct HTTPRequest {
    let method: HTTPMethod
    /// The path without the query.
    let path: String
    let query: String?
    let headers: HTTPHeaders
    /// Whether a stream can be sent in chunks: HTTP/1.1 marks its end that way, HTTP/1.0 cannot.
    let takesChunks: Bool
    let body: [UInt8]

    init(_ head: HTTPRequestHead, body: [UInt8]) {
        method = head.method
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map { String($0) } ?? ""
        query = parts.count > 1 ? String(parts[1]) : nil
        headers = head.headers
        takesChunks = head.version.minor >= 1
        self.body = body
    }
}

/// Collects the parts of a request, within limits, and passes it to the connection. Input after the request is
/// ignored.
final class HTTPRequestCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let connection: ConnectionHandler
    private let bodyBytes: Int
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isDone = false

    /// - Parameter bodyBytes: the limit of the body.
    init(_ connection: ConnectionHandler, bodyBytes: Int) {
        self.connection = connection
        self.bodyBytes = bodyBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            guard announced <= bodyBytes else { return refuse(.tooLarge) }
            if head.headers.first(name: "Expect")?.lowercased() == "100-continue" { connection.askForBody() }
        case .body(let piece):
            guard body.count + piece.readableBytes <= bodyBytes else { return refuse(.tooLarge) }
            body += piece.readableBytesView
            connection.receive(bodyBytes: body.count)
        case .end:
            guard let head else { return }
            isDone = true
            connection.receive(HTTPRequest(head, body: body))
            body = []
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDone, error is HTTPParserError else { return context.fireErrorCaught(error) }
        refuse(error as? HTTPParserError == .headerOverflow ? .tooLarge : .malformed)
    }

    private func refuse(_ failure: HTTPFailure) {
        isDone = true
        connection.refuse(failure)
    }
}

/// Writes responses, one for each connection.
///
/// NIO's encoder is not used: replies of both protocols are built as bytes and sent the same way.
enum HTTPAnswer {
    /// Writes a complete response.
    static func write(
        _ status: HTTPResponseStatus,
        _ contentType: String,
        allowed: String? = nil,
        body: some Collection<UInt8>,
        into bytes: inout [UInt8]
    ) {
        writeHead(status, contentType, into: &bytes)
        if let allowed { bytes += "Allow: \(allowed)\r\n".utf8 }
        bytes += "Content-Length: \(body.count)\r\n\r\n".utf8
        bytes += body
    }

    static func write(_ failure: HTTPFailure, into bytes: inout [UInt8]) {
        write(
            failure.status,
            HTTPRendering.parameters.contentType,
            allowed: failure.allowed,
            body: line(failure.json),
            into: &bytes
        )
    }

    /// Writes the head of a response that ends with its last chunk, or with the end of the connection.
    static func writeStreamHead(_ contentType: String, inChunks: Bool, into bytes: inout [UInt8]) {
        writeHead(.ok, contentType, into: &bytes)
        if inChunks { bytes += "Transfer-Encoding: chunked\r\n".utf8 }
        bytes += "\r\n".utf8
    }

    static func writeChunk(_ chunk: [UInt8], into bytes: inout [UInt8]) {
        bytes += "\(String(chunk.count, radix: 16))\r\n".utf8
        bytes += chunk
        bytes += "\r\n".utf8
    }

    static func writeLastChunk(into bytes: inout [UInt8]) {
        bytes += "0\r\n\r\n".utf8
    }

    /// JSON that ends with a line feed, so that a shell's prompt starts on a line of its own.
    static func line(_ object: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        object.serialize(into: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func writeHead(_ status: HTTPResponseStatus, _ contentType: String, into bytes: inout [UInt8]) {
        bytes += "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n".utf8
        bytes += "Content-Type: \(contentType)\r\nCache-Control: no-store\r\nConnection: close\r\n".utf8
    }
}

/// How a call's replies are sent.
enum HTTPRendering: Equatable {
    /// The parameters of the only reply, as `application/json`.
    case parameters
    /// One string member of the only reply.
    case member(String, contentType: String)
    /// The definition text in the reply to `GetInterfaceDescription`.
    case definition
    /// A list that is made of the only reply.
    case listing(HTTPListing)
    /// The parameters of each reply, as `application/json-seq` (RFC 7464).
    case sequence

    var contentType: String {
        switch self {
        case .parameters, .listing: "application/json"
        case .member(_, let contentType): contentType
        case .definition: "text/plain; charset=utf-8"
        case .sequence: "application/json-seq"
        }
    }
}
