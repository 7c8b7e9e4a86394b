// SPDX-License-Identifier: Apache-2.0

import Platform

/// A secret in the character encodings in which a server may write it, in memory that is overwritten afterwards.
struct EchoNeedles: ~Copyable {
    /// The most bytes that all forms of a byte take: UTF-8, UTF-8 read as Latin-1, Latin-1, and UTF-16 in both orders.
    private static let widest = 8
    private static let quote = UInt8(ascii: "\"")

    private var bytes: ScratchBytes
    private var forms: [Range<Int>] = []

    /// - Parameter secret: as in a login string, quotes doubled. One of zeros is none: its message was wiped.
    init(of secret: UnsafeRawBufferPointer) {
        bytes = ScratchBytes(capacity: 2 * Self.widest * secret.count)
        guard secret.contains(where: { $0 != 0 }) else { return }
        add(secret)
        guard secret.contains(Self.quote) else { return }
        var single = ScratchBytes(capacity: secret.count)
        Self.halveQuotes(of: secret, into: &single)
        single.withBytes { add($0) }
    }

    /// Whether one of the forms stands in the text. Takes time in proportion to the text, whatever is in it.
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

    /// Returns false if the bytes are no UTF-8; then only the scalars before the fault were visited.
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
