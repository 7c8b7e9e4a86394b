// SPDX-License-Identifier: Apache-2.0

/// Appends values to bytes, which it owns while it writes so that they are never copied.
struct JSONWriter {
    var bytes: [UInt8]
    let style: JSONStyle
    private var level = 0

    init(bytes: consuming [UInt8], style: JSONStyle) {
        self.bytes = bytes
        self.style = style
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write("null" as StaticString)
        case .bool(let bool): write(bool)
        case .integer(let integer): write(integer)
        case .number(let number) where number.isFinite: append(number.description)
        case .number: write("null" as StaticString)
        case .string(let string): write(string)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        open(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            separate(&isFirst)
            write(element)
        }
        close(UInt8(ascii: "]"), isEmpty: isFirst)
    }

    private mutating func write(_ object: JSONObject) {
        open(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            separate(&isFirst)
            write(member.key)
            bytes.append(UInt8(ascii: ":"))
            if style == .pretty { bytes.append(UInt8(ascii: " ")) }
            write(member.value)
        }
        close(UInt8(ascii: "}"), isEmpty: isFirst)
    }

    private mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        level += 1
    }

    private mutating func separate(_ isFirst: inout Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        level -= 1
        if !isEmpty { breakLine() }
        bytes.append(bracket)
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func write(_ literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    mutating func write(_ bool: Bool) { write(bool ? "true" : "false" as StaticString) }

    mutating func write(_ integer: Int64) {
        if 0..<10 ~= integer {
            bytes.append(UInt8(ascii: "0") + UInt8(integer))
        } else {
            append(integer.description)
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ string: String) {
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
            write("u00" as StaticString)
            bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0xF
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
