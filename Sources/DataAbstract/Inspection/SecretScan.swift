// SPDX-License-Identifier: Apache-2.0

/// Tells a text that may hold a secret by what it looks like.
struct SecretScan {
    /// In lower case. Texts that hold a password have one of these before it.
    private static let words = ["password", "passwd", "passwort", "pwd"]
    /// Digits of each group.
    private static let guid = [8, 4, 4, 4, 12]
    private static let guidDigits = 32
    private static let keyBytes = 64

    /// Whatever holds one of these holds a secret.
    private let passwords: [String]

    init(passwords: [String]) {
        self.passwords = passwords.filter { !$0.isEmpty }.map { $0.lowercased() }
    }

    /// True for a known password, a word for one with a value behind it, and the digits of a GUID, with hyphens or without.
    func findsSecret(in text: String) -> Bool {
        let text = text.lowercased()
        return passwords.contains { text.contains($0) } || Self.hasPasswordWord(text) || Self.hasGUID(Array(text.utf8))
    }

    /// The fields of a text that a login service would read as a login string: one with a key that such a string has.
    static func login(_ text: String) -> LoginStringParser.Fields? {
        guard let fields = try? LoginStringParser.parse(text.utf8),
            fields.user ?? fields.domain ?? fields.schema != nil || fields.password != nil
        else { return nil }
        return fields
    }

    /// Values of a login string that may be secrets.
    static func passwords(in text: String) -> [String] {
        guard let fields = login(text) else { return [] }
        return ((fields.password.map { [$0] } ?? []) + fields.further.values).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether this is what a key of a login string looks like.
    static func isKey(_ text: String) -> Bool {
        text.utf8.count <= keyBytes
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || " _-.".utf8.contains(byte)
            }
    }

    private static func hasPasswordWord(_ text: String) -> Bool {
        words.contains { word in
            guard let end = text.firstRange(of: word)?.upperBound else { return false }
            return text[end...].contains { "=:".contains($0) }
        }
    }

    private static func hasGUID(_ bytes: [UInt8]) -> Bool {
        var runs: [Int] = []
        for (index, byte) in bytes.enumerated() {
            guard isDigit(byte) else { continue }
            if index > 0, isDigit(bytes[index - 1]) {
                runs[runs.count - 1] += 1
            } else {
                // A run counts with those before it as long as one hyphen stands between them.
                if index < 2 || bytes[index - 1] != UInt8(ascii: "-") || !isDigit(bytes[index - 2]) { runs = [] }
                runs.append(1)
            }
            if runs[runs.count - 1] >= guidDigits { return true }
            if isGUID(runs.suffix(guid.count)) { return true }
        }
        return false
    }

    /// More digits may stand before the first group and behind the last.
    private static func isGUID(_ runs: ArraySlice<Int>) -> Bool {
        guard runs.count == guid.count, let first = runs.first, let last = runs.last else { return false }
        return first >= guid[0] && last >= guid[4] && runs.dropFirst().dropLast().allSatisfy { $0 == guid[1] }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
