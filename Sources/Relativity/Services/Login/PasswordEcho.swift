// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore
import Platform
package import Remoting

/// Searches text from a server for a password. It also recognises the forms in which programs print or log text:
/// other character encodings, hexadecimal digits, Base64, and the escapes of `EscapeForms`.
///
/// Decoded text is in memory that is overwritten afterwards. The time is proportional to the length of the text. This
/// detects a server that repeats the password by mistake. A malicious server can always use another form.
struct PasswordEcho: ~Copyable {
    /// Default number of bytes of a text that are searched: the maximum that `Printable` shows.
    static let textLimit = 16_384
    /// Maximum number of text bytes for one byte of the password, reached by an escape of hexadecimal digits.
    private static let widest = 8

    private let needles: EchoNeedles
    /// The number of bytes after the searched part that are included to find a password which begins inside it.
    private let overhang: Int

    /// - Parameter password: in the form of a login string, quotes doubled.
    init(of password: UnsafeRawBufferPointer) {
        needles = EchoNeedles(of: password)
        overhang = Self.widest * password.count
    }

    /// Whether a text contains the password. An empty password is never found.
    borrowing func isFound(in text: String) -> Bool {
        let bytes = text.utf8.prefix(Self.textLimit + overhang)
        var copy = ScratchBytes(capacity: bytes.count)
        for byte in bytes { copy.append(byte) }
        if copy.withBytes({ isFound(in: $0) }) { return true }
        // The server's text may not have been UTF-8. Then it was decoded as Latin-1, one character for each byte.
        guard text.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else { return false }
        var narrow = ScratchBytes(capacity: bytes.count)
        for scalar in text.unicodeScalars.prefix(bytes.count) { narrow.append(UInt8(truncatingIfNeeded: scalar.value)) }
        return narrow.withBytes { isFound(in: $0) }
    }

    /// Whether bytes in any encoding contain the password.
    borrowing func isFound(in bytes: UnsafeRawBufferPointer, limit: Int = Self.textLimit) -> Bool {
        let text = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit + overhang))
        if isFoundDecoded(in: text) { return true }
        guard text.contains(0) else { return false }
        // Finds escapes in UTF-16.
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
                // Finds text that was escaped twice, or encoded as digits and then escaped.
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

extension LoginMessage {
    /// Whether a text from the server contains the password. Always false after the bytes were wiped.
    ///
    /// - Parameter text: only the part that `Printable` would show is searched.
    package func isRepeated(in text: String) -> Bool {
        withEcho { $0.isFound(in: text) }
    }

    /// Whether bytes from the server contain the password. Always false after the bytes of the message were wiped.
    ///
    /// - Parameter limit: the number of bytes to search.
    package func isRepeated(in text: ByteBuffer, limit: Int) -> Bool {
        text.withUnsafeReadableBytes { text in withEcho { $0.isFound(in: text, limit: limit) } }
    }

    /// Whether an exception of the server contains the password. Always false after the bytes of the message were
    /// wiped.
    func isRepeated(in exception: RemotingException) -> Bool {
        withEcho { $0.isFound(in: exception.className) || $0.isFound(in: exception.message) }
    }
}

/// Searches text from a server for a ClientID, including forms that `MessageScrubber` does not replace, such as
/// Base64.
package enum ClientIDEcho {
    /// Whether a text contains the ClientID.
    ///
    /// - Parameter text: only the part that `Printable` would show is searched.
    package static func isFound(_ id: ClientID, in text: String) -> Bool {
        forms(of: id).contains { form in form.withUnsafeBytes { PasswordEcho(of: $0).isFound(in: text) } }
    }

    /// Whether bytes contain the ClientID.
    ///
    /// - Parameter limit: the number of bytes to search.
    package static func isFound(_ id: ClientID, in bytes: ByteBuffer, limit: Int) -> Bool {
        forms(of: id).contains { form in
            form.withUnsafeBytes { form in
                bytes.withUnsafeReadableBytes { PasswordEcho(of: form).isFound(in: $0, limit: limit) }
            }
        }
    }

    private static func forms(of id: ClientID) -> [[UInt8]] {
        let wire = id.withWireBytes { Array($0) }
        let hyphens = id.revealedText().dropFirst().dropLast()
        let bare = hyphens.filter { $0 != "-" }
        let raw = [wire, HexText.decode(bare) ?? []]
        // In UTF-16 each byte appears as the character with its value.
        let wide = raw.map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        let texts = wide + [String(hyphens), hyphens.uppercased(), bare]
        return raw + texts.map { Array($0.utf8) }
    }
}

/// A secret in the character encodings that a server may use, in memory that is overwritten afterwards.
struct EchoNeedles: ~Copyable {
    /// Maximum total size of all forms of a byte: UTF-8, UTF-8 read as Latin-1, Latin-1, and UTF-16 in both byte
    /// orders.
    private static let widest = 8
    private static let quote = UInt8(ascii: "\"")

    private var bytes: ScratchBytes
    private var forms: [Range<Int>] = []

    /// - Parameter secret: in the form of a login string, quotes doubled. All zeros mean that its message was wiped;
    ///   then nothing is found.
    init(of secret: UnsafeRawBufferPointer) {
        bytes = ScratchBytes(capacity: 2 * Self.widest * secret.count)
        guard secret.contains(where: { $0 != 0 }) else { return }
        add(secret)
        guard secret.contains(Self.quote) else { return }
        var single = ScratchBytes(capacity: secret.count)
        Self.halveQuotes(of: secret, into: &single)
        single.withBytes { add($0) }
    }

    /// Whether the text contains one of the forms. Takes time proportional to the length of the text, whatever its
    /// content.
    borrowing func areFound(in text: UnsafeRawBufferPointer) -> Bool {
        forms.contains { form in bytes.withBytes(form) { ByteSearch.contains(text, $0) } }
    }

    private static func halveQuotes(of secret: UnsafeRawBufferPointer, into single: inout ScratchBytes) {
        var isSecond = false
        for byte in secret {
            isSecond = byte == quote && !isSecond
            if byte != quote || isSecond { single.append(byte) }
        }
    }

    private mutating func add(_ secret: UnsafeRawBufferPointer) {
        form { bytes in for byte in secret { bytes.append(byte) } }
        var isLatin = true
        let isText = Self.forEachScalar(of: secret) { if $0.value > 0xFF { isLatin = false } }
        guard isText else { return }
        if secret.contains(where: { $0 >= 0x80 }) {
            form { bytes in
                for byte in secret {
                    if byte >= 0x80 { bytes.append(0xC0 | byte >> 6) }
                    bytes.append(byte < 0x80 ? byte : 0x80 | byte & 0x3F)
                }
            }
            if isLatin { addScalars(of: secret) { bytes, scalar in bytes.append(UInt8(scalar.value)) } }
        }
        addScalars(of: secret) { bytes, scalar in
            for unit in scalar.utf16 { for half in [unit & 0xFF, unit >> 8] { bytes.append(UInt8(half)) } }
        }
        addScalars(of: secret) { bytes, scalar in
            for unit in scalar.utf16 { for half in [unit >> 8, unit & 0xFF] { bytes.append(UInt8(half)) } }
        }
    }

    private mutating func addScalars(
        of secret: UnsafeRawBufferPointer,
        _ write: (inout ScratchBytes, Unicode.Scalar) -> Void
    ) {
        form { bytes in Self.forEachScalar(of: secret) { write(&bytes, $0) } }
    }

    /// Returns false if the bytes are not valid UTF-8. Then only the scalars before the error were visited.
    @discardableResult
    private static func forEachScalar(of text: UnsafeRawBufferPointer, _ visit: (Unicode.Scalar) -> Void) -> Bool {
        var decoder = UTF8()
        var bytes = text.makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): visit(scalar)
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    private mutating func form(_ write: (inout ScratchBytes) -> Void) {
        let start = bytes.count
        write(&bytes)
        forms.append(start..<bytes.count)
    }
}

/// A byte buffer of fixed capacity that is overwritten when it is freed. It never grows, because growth would leave
/// copies.
struct ScratchBytes: ~Copyable {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) {
        room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 1)
    }

    deinit {
        if let start = room.baseAddress { explicit_bzero(start, room.count) }
        room.deallocate()
    }

    mutating func append(_ byte: UInt8) {
        precondition(count < room.count, "a scratch buffer has room for the longest form")
        room[count] = byte
        count += 1
    }

    mutating func removeAll() { count = 0 }

    /// Calls `body` with the bytes of a range. The pointer is valid only during the call.
    borrowing func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[range]))
    }

    /// Calls `body` with all bytes. The pointer is valid only during the call.
    borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withBytes(0..<count, body)
    }
}
