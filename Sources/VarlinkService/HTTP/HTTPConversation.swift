// SPDX-License-Identifier: Apache-2.0

import JSON
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
        if case .member(let name, _) = rendering { return Array((object[name]?.stringValue ?? "").utf8) }
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
