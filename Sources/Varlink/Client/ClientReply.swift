// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON

/// A reply frame that a client received.
struct ClientReply {
    let parameters: JSONObject
    let continues: Bool

    /// - Parameter members: the only members of a successful reply to keep; nil for all.
    /// - Throws: `VarlinkError` if the reply is an error, another error if the frame is malformed.
    init(parsing frame: ArraySlice<UInt8>, limit: Int, onlyMembers members: Set<String>? = nil) throws {
        let limits = JSONLimits(bytes: limit, values: limit)
        let value: JSONValue
        if let members, !Self.mayBeError(frame) {
            value = try frame.withUnsafeBytes { bytes in
                try JSONValue(parsing: bytes, limits: limits, onlyMembers: members.union(["parameters", "continues"]))
            }
        } else {
            value = try JSONValue(parsing: frame, limits: limits)
        }
        guard let message = value.objectValue else { throw JSONShapeError(path: "", expected: .object) }
        parameters = try message.optionalObject("parameters") ?? [:]
        continues = try message.optionalBool("continues") ?? false
        if let name = try message.optionalString("error") { throw VarlinkError(name, parameters) }
    }

    /// False only if the frame has no member "error" at any depth. The check is cheap even for megabytes.
    static func mayBeError(_ frame: ArraySlice<UInt8>) -> Bool {
        let key: StaticString = "\"error\""
        let length = key.utf8CodeUnitCount
        return frame.withUnsafeBytes { bytes in
            var rest = bytes
            while rest.count >= length, let base = rest.baseAddress, let quote = memchr(base, 0x22, rest.count) {
                let offset = UnsafeRawPointer(quote) - base
                guard rest.count - offset >= length else { return false }
                if memcmp(quote, key.utf8Start, length) == 0 { return true }
                rest = UnsafeRawBufferPointer(rebasing: rest[(offset + 1)...])
            }
            return false
        }
    }
}
