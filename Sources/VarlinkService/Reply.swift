// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore

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

    /// The parameters of an error, or of a reply that was not made from text; otherwise empty.
    var object: JSONObject {
        if case .message(_, let parameters) = content { parameters } else { [:] }
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
