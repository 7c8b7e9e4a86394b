// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Text quoted as one word of a shell command, so that a user can copy a command from a message.
package enum ShellWord {
    /// Returns one printable line. Text that is not printable is written as `$'...'`, which bash, ksh and zsh
    /// understand. It contains no apostrophe, so that a shell which does not understand it, such as dash, reads it as
    /// some other word and executes nothing.
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

    /// Whether a terminal shows each character as itself: letters of any script with a few marks each, symbols, and
    /// no space except U+0020.
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

    /// The limit of marks on one letter. Stacked marks would be drawn over the lines above and below.
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

/// Shell commands that fix the permissions of files, for error messages. None of them loses data.
package enum Repair {
    /// Renames a file or directory that has the name of one of the daemon's files.
    static func moveAway(_ path: String) -> String {
        "mv -n \(ShellWord.quote(path)) \(ShellWord.quote(path + ".aside"))"
    }

    static func own(_ path: String) -> String {
        "sudo chown \(geteuid()) \(ShellWord.quote(path))"
    }

    static func changeOwnerToRoot(_ path: String) -> String {
        "sudo chown root:root \(ShellWord.quote(path))"
    }

    static func denyOthersWriting(_ path: String) -> String {
        "sudo chmod go-w \(ShellWord.quote(path))"
    }

    static func close(_ path: String, mode: String) -> String {
        "chmod \(mode) \(ShellWord.quote(path))"
    }

    /// Gives this name a file of its own with the same content, so that other hard links to the old one, or the target
    /// of a symbolic link, have no effect.
    static func separate(_ path: String) -> String {
        let copy = ShellWord.quote(path + ".copy")
        return "cp -p \(ShellWord.quote(path)) \(copy) && mv \(copy) \(ShellWord.quote(path))"
    }

    /// Shows the file system of a file that cannot be written because there is no space.
    package static func showFreeSpace(at path: String) -> String {
        "df -h \(ShellWord.quote(UserPath.folder(of: path)))"
    }
}
