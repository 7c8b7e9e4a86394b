// SPDX-License-Identifier: Apache-2.0

import JSON

/// A reply frame.
struct Reply {
    var error: String?
    var continues = false
    let parameters: JSONObject

    /// Appends the frame, its NUL included.
    func write(into bytes: inout [UInt8]) {
        var message = JSONObject()
        if let error { message["error"] = .string(error) }
        message["parameters"] = .object(parameters)
        if continues { message["continues"] = true }
        message.serialize(into: &bytes)
        bytes.append(0)
    }
}
