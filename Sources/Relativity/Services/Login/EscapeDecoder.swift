// SPDX-License-Identifier: Apache-2.0

/// Decodes the escapes of a text into a scratch buffer, in one pass. Everything else is copied unchanged.
///
/// Escaped characters become UTF-8, escaped byte values become bytes. No escape is shorter than its decoded form.
struct EscapeDecoder {
    private let text: UnsafeRawBufferPointer
    private let forms: EscapeForms
    private var position = 0
    /// The high surrogate, if the last escape was one.
    private var highSurrogate: UInt32?

    /// Decodes a text.
    ///
    /// - Parameter output: is emptied first; must have capacity for as many bytes as the text.
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
        // Browsers also accept the number without its semicolon.
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

    /// Parses the digits at an offset, as many as there are up to the upper bound. Returns nil if there are too few.
    private func number(at offset: Int, digits: ClosedRange<Int>, radix: UInt32) -> (value: UInt32, count: Int)? {
        var value: UInt32 = 0
        var count = 0
        while count < digits.upperBound, let digit = byte(at: offset + count).flatMap(Self.digit), digit < radix {
            // Saturates: a number that is too large stays too large.
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

    /// A low surrogate completes the preceding high one. An unpaired surrogate is dropped.
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

/// The forms in which programs escape characters of a text that they print or log.
struct EscapeForms: OptionSet {
    let rawValue: Int

    /// JSON and C: `\u0026`, `\u{26}`, `\x26`, `\046`, and a backslash before any other character.
    static let backslash = EscapeForms(rawValue: 1)
    /// URLs: `%26`, `%u0026`.
    static let percent = EscapeForms(rawValue: 2)
    /// HTML forms: a plus sign for a space.
    static let plus = EscapeForms(rawValue: 4)
    /// HTML and XML: `&amp;`, `&#38;`, `&#x26;`, and the names of Latin-1 and ASCII characters.
    static let entity = EscapeForms(rawValue: 8)
    /// Mail: `=26`, and line ends after an equals sign.
    static let quotedPrintable = EscapeForms(rawValue: 16)

    static let all: EscapeForms = [.backslash, .percent, .entity, .quotedPrintable]

    /// The combinations in which a text is decoded. Each form is tried alone first, because a password may contain
    /// text that looks like another form.
    static let searched: [EscapeForms] = [
        .backslash, .percent, [.percent, .plus], .entity, .quotedPrintable, .all, [.all, .plus],
    ]

    /// Whether the byte may begin an escape of these forms.
    func begin(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"): contains(.backslash)
        case UInt8(ascii: "%"): contains(.percent)
        case UInt8(ascii: "+"): contains(.plus)
        case UInt8(ascii: "&"): contains(.entity)
        case UInt8(ascii: "="): contains(.quotedPrintable)
        default: false
        }
    }
}

/// Encodings of bytes as digits.
enum DigitForm {
    case hexadecimal
    /// Both alphabets: the one for mail and the one for URLs.
    case base64

    /// The number of digit offsets at which a byte may begin.
    var starts: Int {
        switch self {
        case .hexadecimal: 2
        case .base64: 4
        }
    }

    private var bits: Int {
        switch self {
        case .hexadecimal: 4
        case .base64: 6
        }
    }

    /// Decodes all digits of a text except the first `start`, and skips all other characters.
    ///
    /// - Parameter output: is emptied first; must have capacity for as many bytes as the text.
    func decode(_ text: UnsafeRawBufferPointer, from start: Int, into output: inout ScratchBytes) {
        output.removeAll()
        var skipped = 0
        var bits = 0
        var count = 0
        for byte in text {
            guard let digit = value(byte) else { continue }
            guard skipped == start else {
                skipped += 1
                continue
            }
            bits = (bits << self.bits | digit) & 0xFFFF
            count += self.bits
            guard count >= 8 else { continue }
            count -= 8
            output.append(UInt8(truncatingIfNeeded: bits >> count))
        }
    }

    private func value(_ byte: UInt8) -> Int? {
        switch self {
        case .hexadecimal: EscapeDecoder.digit(byte).map(Int.init)
        case .base64: Self.base64(byte)
        }
    }

    private static func base64(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// The names of ASCII and Latin-1 characters in HTML and XML.
enum EntityNames {
    /// In the order of U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
        uuml yacute thorn yuml
        """
    private static let ascii: [(String, Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("AMP", "&"), ("LT", "<"), ("GT", ">"),
        ("QUOT", "\""), ("excl", "!"), ("num", "#"), ("dollar", "$"), ("percnt", "%"), ("lpar", "("), ("rpar", ")"),
        ("ast", "*"), ("plus", "+"), ("comma", ","), ("period", "."), ("sol", "/"), ("colon", ":"), ("semi", ";"),
        ("equals", "="), ("quest", "?"), ("commat", "@"), ("lsqb", "["), ("lbrack", "["), ("bsol", "\\"),
        ("rsqb", "]"), ("rbrack", "]"), ("Hat", "^"), ("lowbar", "_"), ("grave", "`"), ("lcub", "{"), ("lbrace", "{"),
        ("verbar", "|"), ("vert", "|"), ("rcub", "}"), ("rbrace", "}"),
    ]

    private static let scalars: [String: UInt32] = {
        var scalars: [String: UInt32] = [:]
        for (offset, name) in latin.split(separator: " ").enumerated() { scalars[String(name)] = 0xA0 + UInt32(offset) }
        for (name, scalar) in ascii { scalars[name] = scalar.value }
        return scalars
    }()

    /// The length of the longest name in bytes.
    static let longest = 8

    /// Returns the character of a name, which is given without `&` and `;`.
    static func scalar(_ name: String) -> UInt32? { scalars[name] }
}
