// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Varlink

/// Parses a Varlink reply with one secret member, which must not become a `String`. The member's text is cut out
/// before the rest is parsed, so that the JSON around it is still checked.
enum SecretReply {
    /// Finds the text of a secret member.
    ///
    /// - Parameter member: a member of `parameters`; its text is base64.
    /// - Returns: the text, a part of `frame`.
    /// - Throws: `VarlinkError` if the reply is an error; `VarlinkClientError.malformed` for any other frame.
    static func text(of member: String, in frame: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        guard let value = value(of: member, in: frame) else {
            throw try error(in: frame[...]) ?? VarlinkClientError.malformed("no '\(member)'")
        }
        let reply = try object(Array(frame[..<value.lowerBound]) + Array(frame[value.upperBound...]))
        guard reply["error"] == nil, reply["parameters"]?.objectValue?[member]?.stringValue == "" else {
            throw VarlinkClientError.malformed("no '\(member)' where it belongs")
        }
        return UnsafeRawBufferPointer(rebasing: frame[value])
    }

    private static func error(in frame: Slice<UnsafeRawBufferPointer>) throws -> VarlinkError? {
        let reply = try object(Array(frame))
        guard let name = reply["error"]?.stringValue else { return nil }
        return VarlinkError(name, reply["parameters"]?.objectValue ?? [:])
    }

    private static func object(_ bytes: [UInt8]) throws -> JSONObject {
        let limits = JSONLimits(depth: 16, bytes: bytes.count + 1, values: 1024)
        guard let object = try? JSONValue(parsing: bytes, limits: limits).objectValue else {
            throw VarlinkClientError.malformed("no JSON object")
        }
        return object
    }

    /// The range of the member's base64 text between its quotes; nil unless the name occurs exactly once, with such a
    /// value.
    private static func value(of member: String, in frame: UnsafeRawBufferPointer) -> Range<Int>? {
        let name = Array("\"\(member)\"".utf8)
        let places = frame.indices.filter { frame[$0...].starts(with: name) }
        guard let place = places.first, places.count == 1 else { return nil }
        var index = place + name.count
        func skip(_ isSkipped: (UInt8) -> Bool) { while index < frame.count, isSkipped(frame[index]) { index += 1 } }
        func take(_ byte: UInt8) -> Bool {
            guard index < frame.count, frame[index] == byte else { return false }
            index += 1
            return true
        }
        skip(isBlank)
        guard take(UInt8(ascii: ":")) else { return nil }
        skip(isBlank)
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = index
        skip { Base64.value(of: $0) != nil || $0 == UInt8(ascii: "=") }
        let end = index
        return take(UInt8(ascii: "\"")) ? start..<end : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}
