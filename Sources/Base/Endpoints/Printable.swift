// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Untrusted text made safe to show. All names from the network, server messages and the like are escaped here before
/// they reach a terminal or a log.
///
/// Control, format (bidi, zero width, tags), separator, private and unassigned characters become `\u{HEX}`, bytes
/// outside UTF-8 `\xHH`, and a backslash `\\`, so that the result stands for exactly one text. A combining mark is
/// shown unchanged if it is one of the first three on a letter. More of them, or one without a letter, would draw
/// over the characters next to it.
package struct Printable: Sendable, Hashable, CustomStringConvertible {
    /// The escaped text.
    package let description: String

    private static let marksPerLetter = 3

    /// - Parameter columns: the maximum width in terminal columns, at least 1. If text is cut off, the result ends
    ///   with `…`.
    package init(_ text: String, columns: Int = 1_024) {
        if text.utf8.count <= columns, text.utf8.allSatisfy(Self.isPlain) {
            self.init(plain: text)
        } else {
            self.init(bytes: Array(text.utf8), columns: columns)
        }
    }

    /// Escapes a substring.
    package init(_ text: Substring, columns: Int = 1_024) { self.init(String(text), columns: columns) }

    private init(plain text: String) {
        description = text
    }

    /// Escapes a sentence whose untrusted parts were already escaped. Its backslashes stay unchanged.
    package init(again sentence: String) {
        let pieces = sentence.split(separator: "\\", omittingEmptySubsequences: false)
        description = pieces.map { Printable($0).description }.joined(separator: "\\")
    }

    /// Escapes bytes that may not be UTF-8, such as TXT strings.
    package init(bytes: [UInt8], columns: Int = 1_024) {
        var shown = ""
        var width = 0
        var rest = bytes[...]
        var marksLeft = 0
        while !rest.isEmpty {
            let (piece, pieceWidth) = Self.next(&rest, &marksLeft)
            // One column is reserved for the ellipsis, unless the text ends here.
            guard width + pieceWidth < columns || (rest.isEmpty && width + pieceWidth <= columns) else {
                shown += "…"
                break
            }
            shown += piece
            width += pieceWidth
        }
        description = shown
    }

    /// - Parameter marksLeft: how many more marks the previous letter may have.
    private static func next(
        _ rest: inout ArraySlice<UInt8>,
        _ marksLeft: inout Int
    ) -> (piece: String, width: Int) {
        var decoder = UTF8()
        var iterator = rest.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
            let byte = rest.removeFirst()
            marksLeft = 0
            return ("\\x" + hex(UInt32(byte), digits: 2), 4)
        }
        rest = rest.dropFirst(UTF8.width(scalar))
        if scalar == "\\" {
            marksLeft = 0
            return ("\\\\", 2)
        }
        let isMark = isMark(scalar)
        if isSafe(scalar), !isMark || marksLeft > 0 {
            marksLeft = isMark ? marksLeft - 1 : marksPerLetter
            return (String(scalar), columns(of: scalar))
        }
        marksLeft = 0
        let escape = "\\u{" + hex(scalar.value, digits: 0) + "}"
        return (escape, escape.utf8.count)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            return false
        case .spaceSeparator:
            return false
        default:
            return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether the byte is shown unchanged in one column, whatever precedes it.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    /// The width in terminal columns: 0 for a combining mark, 2 for wide East Asian letters and emoji.
    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        if isMark(scalar) { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The width of an already escaped text in terminal columns.
    package static func width(of text: String) -> Int {
        if text.utf8.allSatisfy(isPlain) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }
}

/// A number with its noun: `1 login`, `2 logins`, `1 entry`, `2 entries`.
package struct Counted: Sendable, Hashable, CustomStringConvertible {
    /// The number and the noun.
    package let description: String

    /// - Parameters:
    ///   - noun: the singular.
    ///   - plural: the plural; nil for the singular with an s.
    package init(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) {
        description = "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}

extension String {
    /// Whether the UTF-8 bytes are equal. `==` would also equate the composed and the decomposed form of a letter.
    package func hasSameBytes(as other: String) -> Bool {
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count == other.count
                }
                return one.count == other.count && memcmp(first, second, one.count) == 0
            }
        }
    }
}
