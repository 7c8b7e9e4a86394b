// SPDX-License-Identifier: Apache-2.0

/// Text as one word of a shell command, so that a command in a message can be typed as it stands there.
package enum ShellWord {
    /// Always one printable line: what would not be one is written as `$'...'`, which bash, ksh and zsh understand. No
    /// apostrophe stands in it, so that a shell which does not, such as dash, takes it for another word and runs nothing.
    package static func quote(_ text: String) -> String {
        guard !isPlain(text) else {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
        var word = "$'"
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): word += #"\\"#
            case 0x20..<0x7F where byte != UInt8(ascii: "'"): word += String(UnicodeScalar(byte))
            default: word += "\\x" + HexText.encode([byte])
            }
        }
        return word + "'"
    }

    /// Whether a terminal shows each character as itself: letters of every script, a few marks on each, signs, and no
    /// space but the usual one.
    private static func isPlain(_ text: String) -> Bool {
        var marksLeft = 0
        return text.unicodeScalars.allSatisfy { scalar in
            guard isMark(scalar) else {
                marksLeft = marksPerLetter
                return isPlain(scalar)
            }
            marksLeft -= 1
            return marksLeft >= 0 && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Piled up, marks would draw over the lines above and below.
    private static let marksPerLetter = 3

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
