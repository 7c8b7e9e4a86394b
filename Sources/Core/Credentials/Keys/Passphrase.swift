// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
@_spi(_Unicode) import Swift

/// Normalises passphrases for scrypt: UTF-8 in Unicode normal form C, so that the same letters typed on another
/// keyboard open the vault.
enum Passphrase {
    /// Normalises a passphrase.
    ///
    /// - Throws: `CredentialError.invalid` if it is empty, not UTF-8, or longer than 1024 bytes.
    static func normalised(_ passphrase: borrowing Secret, in arena: SecretArena) throws(CredentialError) -> Secret {
        guard passphrase.count > 0 else { throw .invalid(field: "the passphrase", reason: "is empty") }
        guard passphrase.count <= VaultLimits.passphraseBytes else { throw tooLong }
        if passphrase.withBytes({ bytes in bytes.allSatisfy { $0 < 0x80 } }) {
            return try translated(passphrase.duplicate(in: arena))
        }
        // The standard library can normalise only a `String`. A passphrase that is not ASCII is copied into one,
        // which is wiped below.
        guard var text = passphrase.withBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .invalid(field: "the passphrase", reason: "is not UTF-8")
        }
        defer {
            text.withUTF8 { bytes in
                if let base = bytes.baseAddress { explicit_bzero(UnsafeMutableRawPointer(mutating: base), bytes.count) }
            }
        }
        var fits = true
        let secret = try translating { () throws(PlatformError) in
            try Secret(capacity: VaultLimits.passphraseBytes, in: arena) { buffer in
                var count = 0
                for scalar in text._nfc {
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        guard count < buffer.count else {
                            fits = false
                            return 0
                        }
                        buffer[count] = byte
                        count += 1
                    }
                }
                return count
            }
        }
        guard fits else { throw tooLong }
        return secret
    }

    /// Checks that a new passphrase can be typed again. For example, a line end of another system could not.
    ///
    /// - Throws: `CredentialError.invalid` if it contains an ASCII control character.
    static func checkTypable(_ passphrase: borrowing Secret) throws(CredentialError) {
        guard passphrase.withBytes({ bytes in bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw .invalid(field: "the passphrase", reason: "contains a control character, which cannot be typed")
        }
    }

    private static var tooLong: CredentialError {
        .invalid(field: "the passphrase", reason: "is longer than \(VaultLimits.passphraseBytes) bytes")
    }
}

extension ScryptCost {
    /// The time that one guess at a passphrase should take.
    static let target = Duration.milliseconds(250)
    /// The lowest cost that is chosen, even on a slow machine (OWASP Password Storage Cheat Sheet).
    static let floor: ScryptCost = .standard
    /// scrypt uses at most one part in 16 of the machine's memory.
    private static let memoryShare: UInt64 = 16

    /// Chooses the cost for this machine by measuring, which takes 0.1 to 0.2 s.
    static func calibrated(in arena: SecretArena) throws(PlatformError) -> ScryptCost {
        let probe = try Secret(copying: [1], in: arena)
        var quickest = Duration.seconds(60)
        // The first run also includes the time for allocating the memory.
        for _ in 0..<2 {
            let start = ContinuousClock.now
            _ = try KeyDerivation.scrypt(probe, salt: [0], cost: .minimum, in: arena)
            quickest = min(quickest, ContinuousClock.now - start)
        }
        let pages = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 0))
        let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
        return chosen(minimumTakes: quickest, memory: pages.multipliedReportingOverflow(by: pageSize).partialValue)
    }

    /// Chooses the cost whose time is closest to the target. The time doubles with each step of log2 N.
    ///
    /// - Parameters:
    ///   - measured: the time that `minimum` takes.
    ///   - memory: the machine's memory in bytes.
    static func chosen(minimumTakes measured: Duration, memory: UInt64) -> ScryptCost {
        var best = floor
        for log2N in (floor.log2N + 1)...accepted.upperBound {
            guard let cost = ScryptCost(log2N: log2N), cost.byteCount <= memory / memoryShare else { break }
            // On a logarithmic scale, half a step above the target is as close as half a step below it.
            let time = measured * (1 << (Int(log2N) - Int(minimum.log2N)))
            guard time * 5 <= target * 7 else { break }
            best = cost
        }
        return best
    }

    /// The memory of one derivation: 128·r·N bytes.
    var byteCount: UInt64 { 128 * UInt64(Self.r) << UInt64(log2N) }
}
