// SPDX-License-Identifier: Apache-2.0

public import JSON
import NIOCore

/// A request to call a method.
struct Request {
    let method: String
    let parameters: JSONObject
    let isOneway: Bool
    let wantsMore: Bool
    let wantsUpgrade: Bool

    init(method: String, parameters: JSONObject = [:], wantsMore: Bool = false) {
        self.method = method
        self.parameters = parameters
        self.wantsMore = wantsMore
        isOneway = false
        wantsUpgrade = false
    }

    /// - Throws: `JSONSyntaxError` or `JSONShapeError`. The framing is lost then, so later input of this peer must be
    ///   ignored.
    init(parsing frame: UnsafeRawBufferPointer, limits: VarlinkLimits) throws {
        guard let message = try JSONValue(parsing: frame, limits: limits.json).objectValue else {
            throw JSONShapeError(path: "", expected: .object)
        }
        method = try message.string("method")
        parameters = try message.optionalObject("parameters") ?? [:]
        isOneway = try message.optionalBool("oneway") ?? false
        wantsMore = try message.optionalBool("more") ?? false
        wantsUpgrade = try message.optionalBool("upgrade") ?? false
    }
}

/// A reply or an error, before it is serialized.
struct Reply {
    private enum Content {
        case message(error: String?, parameters: JSONObject)
        case ready(ReadyReply)
    }

    let continues: Bool
    private let content: Content

    init(error: String? = nil, continues: Bool = false, parameters: JSONObject) {
        self.continues = continues
        content = .message(error: error, parameters: parameters)
    }

    init(_ ready: ReadyReply) {
        continues = ready.continues
        content = .ready(ready)
    }

    var error: String? {
        if case .message(let error, _) = content { error } else { nil }
    }

    /// The parameters. Those of a reply that is text already are parsed.
    var object: JSONObject {
        switch content {
        case .message(_, let parameters): parameters
        case .ready(let ready): (try? JSONValue(parsing: ready.parameters.readableBytesView))?.objectValue ?? [:]
        }
    }

    /// Appends only the parameters, as JSON.
    func writeParameters(into bytes: inout [UInt8]) {
        switch content {
        case .message(_, let parameters): parameters.serialize(into: &bytes)
        case .ready(let ready): bytes += ready.parameters.readableBytesView
        }
    }

    /// The frame with its NUL.
    ///
    /// - Parameter scratch: the buffer for serializing, so that all replies share one allocation.
    func frame(using scratch: inout [UInt8]) -> ByteBuffer {
        switch content {
        case .ready(let ready): return ready.frame
        case .message(let error, let parameters):
            var message = JSONObject()
            if let error { message["error"] = .string(error) }
            message["parameters"] = .object(parameters)
            if continues { message["continues"] = true }
            scratch.removeAll(keepingCapacity: true)
            message.serialize(into: &scratch)
            scratch.append(0)
            return ByteBuffer(bytes: scratch)
        }
    }
}

/// A reply that is serialized once, and can be sent any number of times to any number of callers. They share its
/// memory.
public struct ReadyReply: Sendable {
    let frame: ByteBuffer
    /// The part of the frame that contains the parameters.
    let parameters: ByteBuffer
    let continues: Bool

    /// - Parameters:
    ///   - text: the parameters, as the text of one JSON object. It avoids building a large tree of values.
    ///   - continues: whether more replies follow.
    public init(text: [UInt8], continues: Bool = false) {
        let start: StaticString = "{\"parameters\":"
        let end: StaticString = continues ? ",\"continues\":true}\0" : "}\0"
        var frame = ByteBuffer()
        frame.reserveCapacity(start.utf8CodeUnitCount + text.count + end.utf8CodeUnitCount)
        frame.writeStaticString(start)
        frame.writeBytes(text)
        frame.writeStaticString(end)
        self.frame = frame
        // This part was just written.
        parameters = frame.getSlice(at: start.utf8CodeUnitCount, length: text.count) ?? ByteBuffer()
        self.continues = continues
    }

    /// - Parameters:
    ///   - parameters: the parameters of the reply, of a type that `varlink-generate` generated.
    ///   - continues: whether more replies follow.
    public init(_ parameters: some JSONRecord, continues: Bool = false) {
        var text: [UInt8] = []
        parameters.serialize(into: &text)
        self.init(text: text, continues: continues)
    }
}
