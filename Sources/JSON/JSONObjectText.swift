// SPDX-License-Identifier: Apache-2.0

/// Appends one object to a text, member by member, as `JSONObject.serialize(into:style:)` would in the compact style, but
/// without making a value of it.
public struct JSONObjectText: JSONMembers {
    private var writer: JSONWriter
    private var isEmpty = true

    /// Opens an object at the end of `bytes`.
    public init(after bytes: consuming [UInt8]) {
        writer = JSONWriter(bytes: bytes, style: .compact)
        writer.bytes.append(UInt8(ascii: "{"))
    }

    public mutating func add(_ key: String, _ value: String) {
        begin(key)
        writer.write(value)
    }

    public mutating func add(_ key: String, _ value: Int64) {
        begin(key)
        writer.write(value)
    }

    public mutating func add(_ key: String, _ value: Bool) {
        begin(key)
        writer.write(value)
    }

    public mutating func add(_ key: String, _ value: [String]) {
        begin(key)
        writer.bytes.append(UInt8(ascii: "["))
        for (index, element) in value.enumerated() {
            if index > 0 { writer.bytes.append(UInt8(ascii: ",")) }
            writer.write(element)
        }
        writer.bytes.append(UInt8(ascii: "]"))
    }

    /// Closes the object.
    ///
    /// - Returns: the bytes before it, and it.
    public consuming func finish() -> [UInt8] {
        writer.bytes.append(UInt8(ascii: "}"))
        return writer.bytes
    }

    private mutating func begin(_ key: String) {
        if !isEmpty { writer.bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        writer.write(key)
        writer.bytes.append(UInt8(ascii: ":"))
    }
}
