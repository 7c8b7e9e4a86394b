// SPDX-License-Identifier: Apache-2.0

/// Appends values to bytes. The writer owns the bytes, so that they are never copied.
public struct JSONWriter {
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

    /// Writes null.
    public mutating func writeNull() { append("null" as StaticString) }

    /// Writes a boolean.
    public mutating func write(_ value: Bool) { append(value ? "true" : "false" as StaticString) }

    /// Writes an integer.
    public mutating func write(_ value: Int64) {
        if 0..<10 ~= value {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
        } else {
            append(value.description)
        }
    }

    /// Writes a number. NaN and infinity, which JSON lacks, become `null`.
    public mutating func write(_ value: Double) {
        if value.isFinite { append(value.description) } else { writeNull() }
    }

    /// Writes a number as its text in JSON.
    public mutating func write(digits: String) { append(digits) }

    /// Writes an array.
    @inlinable
    public mutating func writeArray(_ elements: [some JSONConvertible]) {
        let outer = begin(UInt8(ascii: "["))
        for element in elements {
            beginElement()
            element.write(to: &self)
        }
        end(UInt8(ascii: "]"), outer)
    }

    /// Writes an object.
    ///
    /// - Parameter members: calls `writeMember` of its argument for each member, and no other method.
    @inlinable
    public mutating func writeObject(_ members: (inout JSONWriter) -> Void) {
        let outer = begin(UInt8(ascii: "{"))
        members(&self)
        end(UInt8(ascii: "}"), outer)
    }

    /// Writes one member. Call only inside `writeObject`, and once for each key.
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

    /// Writes a string.
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
