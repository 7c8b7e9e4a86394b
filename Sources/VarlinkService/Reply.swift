// SPDX-License-Identifier: Apache-2.0

import JSON

/// A reply frame.
struct Reply {
    private enum Parameters {
        case object(JSONObject)
        /// The text of a JSON object.
        case text([UInt8])
    }

    private var error: String?
    let continues: Bool
    private let parameters: Parameters

    init(error: String? = nil, continues: Bool = false, parameters: JSONObject) {
        self.error = error
        self.continues = continues
        self.parameters = .object(parameters)
    }

    /// A last reply.
    init(text: [UInt8]) {
        continues = false
        parameters = .text(text)
    }

    /// Appends the frame, its NUL included.
    func write(into bytes: inout [UInt8]) {
        switch parameters {
        case .object(let object):
            var message = JSONObject()
            if let error { message["error"] = .string(error) }
            message["parameters"] = .object(object)
            if continues { message["continues"] = true }
            message.serialize(into: &bytes)
        case .text(let text):
            bytes += "{\"parameters\":".utf8
            bytes += text
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(0)
    }
}
