// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// A pin as 32 bytes, which the user compares and a script passes with `--pin`.
///
/// For a TLS key: its SHA-256, as `openssl` prints it. For plain HTTP and for a host that an authority verifies: the
/// SHA-256 of the pin's canonical record, which is the same on every machine.
package struct Fingerprint: Sendable, Hashable {
    /// Bytes of a fingerprint.
    package static let byteCount = 32
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The fingerprint of a pin.
    ///
    /// - Throws: the failure of the hash function.
    package init(of pin: Pin) throws(PlatformError) {
        if case .tls(let digest) = pin {
            bytes = digest
        } else {
            bytes = try SHA256.digest(of: pin.canonicalRecord)
        }
    }

    /// Parses 64 hexadecimal digits, with or without colons between the bytes and a leading `sha256:`.
    package init?(_ text: String) {
        guard let bytes = HexText.decodeDigest(text) else { return nil }
        self.bytes = bytes
    }

    /// Lower-case hexadecimal digits.
    package var text: String { HexText.encode(bytes) }

    /// The first 128 bits as eight pronounceable words of five letters, 16 bits each.
    package var words: String {
        stride(from: 0, to: 16, by: 2)
            .map { Self.word(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])) }
            .joined(separator: "-")
    }

    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    /// Consonant, vowel, consonant, vowel, consonant: 4 + 2 + 4 + 2 + 4 bits.
    private static func word(_ bits: UInt16) -> String {
        String([
            consonants[Int(bits >> 12 & 15)],
            vowels[Int(bits >> 10 & 3)],
            consonants[Int(bits >> 6 & 15)],
            vowels[Int(bits >> 4 & 3)],
            consonants[Int(bits & 15)],
        ])
    }
}
