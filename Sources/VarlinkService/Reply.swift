// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore

/// A reply.
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

    /// The parameters of an error, or of a reply that was not given as text.
    var object: JSONObject {
        if case .message(_, let parameters) = content { parameters } else { [:] }
    }

    /// Appends the parameters alone, as JSON.
    func writeParameters(into bytes: inout [UInt8]) {
        switch content {
        case .message(_, let parameters): parameters.serialize(into: &bytes)
        case .ready(let ready): bytes += ready.parameters.readableBytesView
        }
    }

    /// The frame, its NUL included.
    ///
    /// - Parameter scratch: what it is put together in, so that one allocation serves all.
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
