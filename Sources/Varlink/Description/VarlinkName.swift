// SPDX-License-Identifier: Apache-2.0

/// The syntax of names in the interface definition language.
enum VarlinkName {
    /// Two or more labels joined by dots, the first starting with a letter. Labels are letters, digits and inner
    /// hyphens.
    static func isInterface(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, name.utf8.count <= 255, let first = name.utf8.first, isLetter(first) else {
            return false
        }
        return labels.allSatisfy { label in
            guard let first = label.first, let last = label.last else { return false }
            return isAlphanumeric(first) && isAlphanumeric(last)
                && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Methods, types and errors: an upper-case letter, then letters and digits.
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) && name.utf8.allSatisfy(isAlphanumeric)
    }

    /// Fields and enum values: a letter, then letters, digits and single inner underscores.
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, let last = name.utf8.last else { return false }
        return isLetter(first) && isAlphanumeric(last)
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
