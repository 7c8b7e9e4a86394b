// SPDX-License-Identifier: Apache-2.0

import JSON

/// A reply.
struct Reply {
    private enum Parameters {
        case object(JSONObject)
        /// The text of a JSON object.
        case text([UInt8])
    }

    private(set) var error: String?
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

    /// The parameters of an error, or of a reply that was not given as text.
    var object: JSONObject {
        if case .object(let object) = parameters { object } else { [:] }
    }

    /// Appends the parameters alone, as JSON.
    func writeParameters(into bytes: inout [UInt8]) {
        switch parameters {
        case .object(let object): object.serialize(into: &bytes)
        case .text(let text): bytes += text
        }
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
