// SPDX-License-Identifier: Apache-2.0

/// Text as one word of a shell command, so that a command in a message can be typed as it stands there.
package enum ShellWord {
    /// Always one printable line: what would not be one is written as `$'...'`, which bash, ksh and zsh understand.
    package static func quote(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard !isPlain else {
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
}
