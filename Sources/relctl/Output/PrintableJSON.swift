// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON

/// A value as text that no terminal takes for more: what `Printable` would escape stands in JSON's own escapes.
struct PrintableJSON {
    let bytes: [UInt8]

    init(_ value: JSONValue) {
        let bytes = value.serialized()
        guard !bytes.allSatisfy({ $0 < 0x7F }) else {
            self.bytes = bytes
            return
        }
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let text = String(scalar)
            if scalar == "\\" || Printable(text).description == text {
                safe += text.utf8
            } else {
                for unit in text.utf16 {
                    let digits = String(unit, radix: 16)
                    safe += Array("\\u".utf8) + Array(repeating: 0x30, count: 4 - digits.utf8.count) + digits.utf8
                }
            }
        }
        self.bytes = safe
    }
}
