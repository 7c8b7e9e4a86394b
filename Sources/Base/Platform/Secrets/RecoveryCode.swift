// SPDX-License-Identifier: Apache-2.0

/// The text form of a recovery code: 160 random bits and a checksum of 20 bits, in the digits and letters of
/// Crockford's base32, which has no `I`, `L`, `O` or `U`. It has nine groups of four characters
/// (docs/vault-format.md).
package enum RecoveryCode {
    /// The length of the code itself.
    package static let byteCount = 20
    /// The number of groups in the text.
    package static let groupCount = 9
    /// The number of characters in a group.
    package static let groupLength = 4
    /// The length of the text as it is shown: groups with dashes between them.
    package static let textByteCount = groupCount * (groupLength + 1) - 1
    /// The longest input that is parsed, more than any sensible spelling takes.
    package static let maximumTextBytes = 256

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let symbolCount = groupCount * groupLength
    private static let dataSymbolCount = 32
    private static let checksumLabel = Array("rcv1/recovery".utf8)

    /// Returns the code in capitals, with a dash between groups.
    ///
    /// - Parameter code: 20 bytes.
    package static func text(of code: borrowing Secret, in arena: SecretArena) throws(PlatformError) -> Secret {
        precondition(code.count == byteCount)
        let symbols = try symbols(of: code, in: arena)
        return try Secret(capacity: textByteCount, in: arena) { room in
            symbols.withBytes { symbols in
                var filled = 0
                for (index, symbol) in symbols.enumerated() {
                    if index > 0, index.isMultiple(of: groupLength) {
                        room[filled] = UInt8(ascii: "-")
                        filled += 1
                    }
                    room[filled] = alphabet[Int(symbol)]
                    filled += 1
                }
                return filled
            }
        }
    }

    /// Reads a code as a user types it: in either case, with any number of spaces and dashes anywhere, `O` for `0`,
    /// and `I` or `L` for `1`.
    ///
    /// - Returns: the 20 bytes.
    /// - Throws: `PlatformError.notARecoveryCode` with the reason, before a key is derived from it.
    package static func parse(_ text: borrowing Secret, in arena: SecretArena) throws(PlatformError) -> Secret {
        let typed = try symbols(typed: text, in: arena)
        guard typed.count == symbolCount else {
            throw .notARecoveryCode(
                reason: "has \(typed.count) digits and letters, not the \(symbolCount) of a recovery code"
            )
        }
        let code = try Secret(capacity: byteCount, in: arena) { room in
            typed.withBytes { typed in
                // Eight symbols encode five bytes.
                for block in 0..<(byteCount / 5) {
                    let bits = typed[(8 * block)..<(8 * block + 8)].reduce(UInt64(0)) { $0 << 5 | UInt64($1) }
                    for index in 0..<5 { room[5 * block + index] = UInt8(truncatingIfNeeded: bits >> (32 - 8 * index)) }
                }
            }
            return byteCount
        }
        guard typed.isEqual(to: try symbols(of: code, in: arena)) else {
            throw .notARecoveryCode(reason: "is mistyped: its checksum does not match")
        }
        return code
    }

    /// Whether the user's input is one group of a code, read as leniently as by `parse`.
    ///
    /// - Parameters:
    ///   - group: 0 to 8.
    ///   - text: the result of `text(of:in:)`.
    package static func group(
        _ group: Int,
        of text: borrowing Secret,
        is typed: borrowing Secret,
        in arena: SecretArena
    ) -> Bool {
        guard let all = try? symbols(typed: text, in: arena), let some = try? symbols(typed: typed, in: arena),
            all.count == symbolCount, some.count == groupLength
        else { return false }
        return all.withBytes { all in
            some.withBytes { $0.elementsEqual(all[(group * groupLength)..<((group + 1) * groupLength)]) }
        }
    }

    /// The symbols 0...31 of a code and its checksum.
    private static func symbols(of code: borrowing Secret, in arena: SecretArena) throws(PlatformError) -> Secret {
        let checksum = code.withBytes { bytes in
            var digest = SHA256()
            digest.update(checksumLabel)
            digest.update(bytes)
            return digest.finalize().prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } >> 4
        }
        return try Secret(capacity: symbolCount, in: arena) { room in
            code.withBytes { bytes in
                for block in 0..<(byteCount / 5) {
                    let bits = bytes[(5 * block)..<(5 * block + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    for index in 0..<8 { room[8 * block + index] = UInt8(bits >> (35 - 5 * index) & 31) }
                }
            }
            for index in 0..<groupLength {
                room[dataSymbolCount + index] = UInt8(checksum >> (15 - 5 * UInt32(index)) & 31)
            }
            return symbolCount
        }
    }

    private static func symbols(typed text: borrowing Secret, in arena: SecretArena) throws(PlatformError) -> Secret {
        guard text.count <= maximumTextBytes else { throw .secretTooLong(maximumBytes: maximumTextBytes) }
        var stranger: Int?
        let symbols = try Secret(capacity: maximumTextBytes, in: arena) { room in
            text.withBytes { text in
                var filled = 0
                for (index, byte) in text.enumerated() where !isSeparator(byte) {
                    guard let symbol = symbol(of: byte) else {
                        stranger = index
                        return 0
                    }
                    room[filled] = symbol
                    filled += 1
                }
                return filled
            }
        }
        if let stranger {
            throw .notARecoveryCode(reason: "has a character that no recovery code has, at position \(stranger + 1)")
        }
        return symbols
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
    }

    private static func symbol(of byte: UInt8) -> UInt8? {
        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        let capital = isSmall ? byte - (UInt8(ascii: "a") - UInt8(ascii: "A")) : byte
        switch capital {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: capital).map { UInt8($0) }
        }
    }
}
