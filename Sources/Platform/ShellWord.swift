// SPDX-License-Identifier: Apache-2.0

/// Text as one word of a shell command, so that a command in a message can be typed as it stands there.
package enum ShellWord {
    /// Always one printable line: what would not be one is written as `$'...'`, which bash, ksh and zsh understand.
    package static func quote(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isPlain) else {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
        var word = "$'"
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): word += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: word += String(UnicodeScalar(byte))
            default: word += "\\x" + HexText.encode([byte])
            }
        }
        return word + "'"
    }
    /// What a terminal shows as a character of its own.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .dashPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol:
            return !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
