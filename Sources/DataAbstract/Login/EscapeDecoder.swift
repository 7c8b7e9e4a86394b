// SPDX-License-Identifier: Apache-2.0

/// Decodes the escapes of a text into a scratch buffer, in one pass. What is no escape stays as it is.
///
/// Characters become UTF-8, numbers of bytes become bytes. No escape is shorter than what it stands for.
struct EscapeDecoder {
    private let text: UnsafeRawBufferPointer
    private let forms: EscapeForms
    private var position = 0
    /// The first half of a surrogate pair, if the last escape was one.
    private var highSurrogate: UInt32?

    /// Decodes a text.
    ///
    /// - Parameter output: emptied first; has room for as many bytes as the text.
    static func decode(_ text: UnsafeRawBufferPointer, as forms: EscapeForms, into output: inout ScratchBytes) {
        var decoder = EscapeDecoder(text: text, forms: forms)
        output.removeAll()
        while decoder.position < text.count { decoder.step(&output) }
    }

    private init(text: UnsafeRawBufferPointer, forms: EscapeForms) {
        self.text = text
        self.forms = forms
    }

    private mutating func step(_ output: inout ScratchBytes) {
        let byte = text[position]
        guard forms.begin(with: byte) else { return write(byte, length: 1, &output) }
        switch byte {
        case UInt8(ascii: "\\"): backslash(&output)
        case UInt8(ascii: "%"): percent(&output)
        case UInt8(ascii: "&"): entity(&output)
        case UInt8(ascii: "="): quotedPrintable(&output)
        default: write(UInt8(ascii: " "), length: 1, &output)
        }
    }

    private mutating func backslash(_ output: inout ScratchBytes) {
        let kind = byte(at: 1)
        if kind == UInt8(ascii: "u"), let unit = number(at: 2, digits: 4...4, radix: 16) {
            return write(scalar: unit.value, length: 6, &output)
        }
        if kind == UInt8(ascii: "u"), byte(at: 2) == UInt8(ascii: "{"),
            let unit = number(at: 3, digits: 1...6, radix: 16), byte(at: 3 + unit.count) == UInt8(ascii: "}")
        {
            return write(scalar: unit.value, length: 4 + unit.count, &output)
        }
        if kind == UInt8(ascii: "x"), let unit = number(at: 2, digits: 2...2, radix: 16) {
            return write(UInt8(truncatingIfNeeded: unit.value), length: 4, &output)
        }
        if let unit = number(at: 1, digits: 3...3, radix: 8), unit.value <= 0xFF {
            return write(UInt8(truncatingIfNeeded: unit.value), length: 4, &output)
        }
        guard let kind else { return skip(1) }
        write(kind, length: 2, &output)
    }

    private mutating func percent(_ output: inout ScratchBytes) {
        if let unit = number(at: 1, digits: 2...2, radix: 16) {
            return write(UInt8(truncatingIfNeeded: unit.value), length: 3, &output)
        }
        if byte(at: 1).map({ $0 | 0x20 }) == UInt8(ascii: "u"), let unit = number(at: 2, digits: 4...4, radix: 16) {
            return write(scalar: unit.value, length: 6, &output)
        }
        write(UInt8(ascii: "%"), length: 1, &output)
    }

    private mutating func quotedPrintable(_ output: inout ScratchBytes) {
        if let unit = number(at: 1, digits: 2...2, radix: 16) {
            return write(UInt8(truncatingIfNeeded: unit.value), length: 3, &output)
        }
        if byte(at: 1) == UInt8(ascii: "\n") { return skip(2) }
        if byte(at: 1) == UInt8(ascii: "\r"), byte(at: 2) == UInt8(ascii: "\n") { return skip(3) }
        write(UInt8(ascii: "="), length: 1, &output)
    }

    private mutating func entity(_ output: inout ScratchBytes) {
        guard byte(at: 1) == UInt8(ascii: "#") else { return namedEntity(&output) }
        let isHex = byte(at: 2).map { $0 | 0x20 } == UInt8(ascii: "x")
        let start = isHex ? 3 : 2
        guard let unit = number(at: start, digits: 1...10, radix: isHex ? 16 : 10), unit.value <= 0x10_FFFF else {
            return write(UInt8(ascii: "&"), length: 1, &output)
        }
        // Browsers take the number without its semicolon too.
        let isClosed = byte(at: start + unit.count) == UInt8(ascii: ";")
        write(scalar: unit.value, length: start + unit.count + (isClosed ? 1 : 0), &output)
    }

    private mutating func namedEntity(_ output: inout ScratchBytes) {
        let rest = text[(position + 1)...].prefix(EntityNames.longest + 1)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
            let scalar = EntityNames.scalar(String(decoding: rest[..<end], as: UTF8.self))
        else { return write(UInt8(ascii: "&"), length: 1, &output) }
        write(scalar: scalar, length: end + 1 - position, &output)
    }

    private func byte(at offset: Int) -> UInt8? {
        position + offset < text.count ? text[position + offset] : nil
    }

    /// Digits at an offset: as many as there are, within bounds.
    private func number(at offset: Int, digits: ClosedRange<Int>, radix: UInt32) -> (value: UInt32, count: Int)? {
        var value: UInt32 = 0
        var count = 0
        while count < digits.upperBound, let digit = byte(at: offset + count).flatMap(Self.digit), digit < radix {
            // Too large a number stays too large.
            value = min(value, 0x00FF_FFFF) * radix + digit
            count += 1
        }
        return count >= digits.lowerBound ? (value, count) : nil
    }

    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    private mutating func skip(_ length: Int) {
        position += length
        highSurrogate = nil
    }

    private mutating func write(_ byte: UInt8, length: Int, _ output: inout ScratchBytes) {
        skip(length)
        output.append(byte)
    }

    /// The second half of a surrogate pair completes the first; a half alone is left out.
    private mutating func write(scalar value: UInt32, length: Int, _ output: inout ScratchBytes) {
        let high = highSurrogate
        skip(length)
        switch value {
        case 0xD800...0xDBFF: highSurrogate = value
        case 0xDC00...0xDFFF:
            guard let high else { return }
            Self.append(scalar: 0x1_0000 + (high - 0xD800) << 10 + (value - 0xDC00), to: &output)
        default: Self.append(scalar: value, to: &output)
        }
    }

    private static func append(scalar value: UInt32, to output: inout ScratchBytes) {
        guard let scalar = Unicode.Scalar(value) else { return }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
    }
}
