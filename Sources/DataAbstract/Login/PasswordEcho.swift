// SPDX-License-Identifier: Apache-2.0

/// Looks for a password in what a server wrote, also in the forms that programs give to what they show or log: other
/// character encodings, hexadecimal digits, Base64, and the escapes of `EscapeForms`.
///
/// What is decoded stands in memory that is overwritten afterwards, and the time grows with the length of the text alone.
/// This finds what a careless server says. One that means to smuggle the password out can always find another form.
struct PasswordEcho: ~Copyable {
    /// The most bytes of a text that are searched, unless the caller says otherwise; as much as `Printable` ever shows.
    static let textLimit = 16_384
    /// The most bytes of text for one of the password, as in the hexadecimal digits of an escape.
    private static let widest = 8

    private let needles: EchoNeedles
    /// What follows the searched part is searched for the rest of what begins before.
    private let overhang: Int

    /// - Parameter password: as in a login string, quotes doubled.
    init(of password: UnsafeRawBufferPointer) {
        needles = EchoNeedles(of: password)
        overhang = Self.widest * password.count
    }

    /// Whether a text shows the password; an empty one is found nowhere.
    borrowing func isFound(in text: String) -> Bool {
        let bytes = text.utf8.prefix(Self.textLimit + overhang)
        var copy = ScratchBytes(capacity: bytes.count)
        for byte in bytes { copy.append(byte) }
        if copy.withBytes({ isFound(in: $0) }) { return true }
        // Text in no UTF-8 was read as Latin-1, a character for each byte.
        guard text.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else { return false }
        var narrow = ScratchBytes(capacity: bytes.count)
        for scalar in text.unicodeScalars.prefix(bytes.count) { narrow.append(UInt8(truncatingIfNeeded: scalar.value)) }
        return narrow.withBytes { isFound(in: $0) }
    }

    /// Whether bytes of any encoding show the password.
    borrowing func isFound(in bytes: UnsafeRawBufferPointer, limit: Int = Self.textLimit) -> Bool {
        let text = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit + overhang))
        if isFoundDecoded(in: text) { return true }
        guard text.contains(0) else { return false }
        // Escapes in UTF-16.
        var narrow = ScratchBytes(capacity: text.count)
        for byte in text where byte != 0 { narrow.append(byte) }
        return narrow.withBytes { isFoundDecoded(in: $0) }
    }

    private borrowing func isFoundDecoded(in text: UnsafeRawBufferPointer) -> Bool {
        if needles.areFound(in: text) { return true }
        var decoded = ScratchBytes(capacity: text.count)
        var again = ScratchBytes(capacity: text.count)
        if isFoundInDigits(of: text, using: &decoded) { return true }
        for forms in EscapeForms.searched where text.contains(where: forms.begin) {
            EscapeDecoder.decode(text, as: forms, into: &decoded)
            let isFound = decoded.withBytes { once in
                if needles.areFound(in: once) { return true }
                // What was escaped twice, or written in digits and then escaped.
                EscapeDecoder.decode(once, as: forms, into: &again)
                return again.withBytes { needles.areFound(in: $0) }
                    || (forms == .all && isFoundInDigits(of: once, using: &again))
            }
            if isFound { return true }
        }
        return false
    }

    private borrowing func isFoundInDigits(
        of text: UnsafeRawBufferPointer,
        using decoded: inout ScratchBytes
    ) -> Bool {
        for digits in [DigitForm.hexadecimal, .base64] {
            for start in 0..<digits.starts {
                digits.decode(text, from: start, into: &decoded)
                if decoded.withBytes({ needles.areFound(in: $0) }) { return true }
            }
        }
        return false
    }
}
