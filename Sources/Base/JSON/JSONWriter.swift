// SPDX-License-Identifier: Apache-2.0

/// Receives JSON value by value and builds text (`JSONWriter`) or a tree (`JSONValue`). So a type defines its JSON
/// form only once.
public protocol JSONOutput {
    /// Writes null.
    mutating func writeNull()
    /// Writes a boolean.
    mutating func write(_ value: Bool)
    /// Writes an integer.
    mutating func write(_ value: Int64)
    /// Writes a number. In text, NaN and infinity, which JSON lacks, become `null`.
    mutating func write(_ value: Double)
    /// Writes a number as its text in JSON.
    mutating func write(digits: String)
    /// Writes a string.
    mutating func write(_ value: String)
    /// Writes an array.
    mutating func writeArray(_ elements: [some JSONConvertible])

    /// Writes an object.
    ///
    /// - Parameter members: calls `writeMember` of its argument for each member, and no other method.
    mutating func writeObject(_ members: (inout Self) -> Void)

    /// Writes one member. Call only inside `writeObject`, and once for each key.
    mutating func writeMember(_ key: String, _ value: some JSONConvertible)
}

extension JSONOutput {
    /// Writes a member unless it is nil.
    @inlinable
    public mutating func writeMember(_ key: String, ifPresent value: (some JSONConvertible)?) {
        if let value { writeMember(key, value) }
    }
}

/// Builds a tree.
struct JSONTree: JSONOutput {
    private(set) var value = JSONValue.null
    private var members: [JSONObject.Member] = []

    mutating func writeNull() { value = .null }
    mutating func write(_ value: Bool) { self.value = .bool(value) }
    mutating func write(_ value: Int64) { self.value = .integer(value) }
    mutating func write(_ value: Double) { self.value = .number(value) }
    mutating func write(digits: String) { value = .digits(digits) }
    mutating func write(_ value: String) { self.value = .string(value) }

    mutating func writeArray(_ elements: [some JSONConvertible]) {
        value = .array(elements.map(\.jsonValue))
    }

    mutating func writeObject(_ members: (inout JSONTree) -> Void) {
        var object = JSONTree()
        members(&object)
        value = .object(JSONObject(unchecked: object.members))
    }

    mutating func writeMember(_ key: String, _ value: some JSONConvertible) {
        members.append(JSONObject.Member(key: key, value: value.jsonValue))
    }
}

/// Appends values to bytes. The writer owns the bytes, so that they are never copied.
public struct JSONWriter: JSONOutput {
    /// The text so far.
    public var bytes: [UInt8]
    private let style: JSONStyle
    private var level = 0
    /// Whether nothing was written yet into the innermost open array or object.
    private var isEmpty = true

    /// Creates a writer that appends to `bytes`.
    public init(bytes: consuming [UInt8], style: JSONStyle) {
        self.bytes = bytes
        self.style = style
    }

    public mutating func writeNull() { append("null" as StaticString) }

    public mutating func write(_ value: Bool) { append(value ? "true" : "false" as StaticString) }

    public mutating func write(_ value: Int64) {
        if 0..<10 ~= value {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
        } else {
            append(value.description)
        }
    }

    public mutating func write(_ value: Double) {
        if value.isFinite { append(value.description) } else { writeNull() }
    }

    public mutating func write(digits: String) { append(digits) }

    @inlinable
    public mutating func writeArray(_ elements: [some JSONConvertible]) {
        let outer = begin(UInt8(ascii: "["))
        for element in elements {
            beginElement()
            element.write(to: &self)
        }
        end(UInt8(ascii: "]"), outer)
    }

    @inlinable
    public mutating func writeObject(_ members: (inout JSONWriter) -> Void) {
        let outer = begin(UInt8(ascii: "{"))
        members(&self)
        end(UInt8(ascii: "}"), outer)
    }

    @inlinable
    public mutating func writeMember(_ key: String, _ value: some JSONConvertible) {
        beginMember(key)
        value.write(to: &self)
    }

    /// - Returns: the argument for `end`: whether the enclosing value is still empty.
    @usableFromInline
    mutating func begin(_ bracket: UInt8) -> Bool {
        bytes.append(bracket)
        level += 1
        defer { isEmpty = true }
        return isEmpty
    }

    @usableFromInline
    mutating func end(_ bracket: UInt8, _ outer: Bool) {
        level -= 1
        if !isEmpty { breakLine() }
        bytes.append(bracket)
        isEmpty = outer
    }

    @usableFromInline
    mutating func beginElement() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        breakLine()
    }

    @usableFromInline
    mutating func beginMember(_ key: String) {
        beginElement()
        write(key)
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func append(_ literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    public mutating func write(_ string: String) {
        var string = string
        bytes.append(UInt8(ascii: "\""))
        string.withUTF8 { content in
            var run = 0
            for index in content.indices where Self.needsEscape(content[index]) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[run..<index]))
                writeEscape(content[index])
                run = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[run...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            append("u00" as StaticString)
            bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0xF
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
