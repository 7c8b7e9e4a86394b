// SPDX-License-Identifier: Apache-2.0

/// A GUID. On the wire, its first three fields are byte-swapped compared with the text (Microsoft order).
package struct GUID: Hashable, Sendable {
    /// The size on the wire.
    package static let byteCount = 16
    /// The index on the wire of each byte of the text form; the mapping is its own inverse.
    static let textOrder = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

    private let high: UInt64
    private let low: UInt64

    /// Reads the first 16 bytes; missing ones are zero.
    init(wireBytes: UnsafeRawBufferPointer) {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: wireBytes.prefix(Self.byteCount)) }
        (high, low) = words
    }

    /// Parses `01234567-89ab-cdef-0123-456789abcdef` in either case, with or without braces.
    package init?(_ text: String) {
        var digits = Substring(text)
        if digits.hasPrefix("{"), digits.hasSuffix("}") { digits = digits.dropFirst().dropLast() }
        let groups = digits.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let nibbles = groups.joined().compactMap(\.hexDigitValue)
        guard nibbles.count == 2 * Self.byteCount else { return nil }
        let wire = Self.textOrder.map { UInt8(nibbles[2 * $0] << 4 | nibbles[2 * $0 + 1]) }
        self = wire.withUnsafeBytes { GUID(wireBytes: $0) }
    }

    /// The text form `{01234567-89ab-cdef-0123-456789abcdef}`.
    package var text: String {
        let hex = withWireBytes { wire in
            Self.textOrder.map { index in
                String(wire[index] >> 4, radix: 16) + String(wire[index] & 15, radix: 16)
            }
        }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex[$0].joined() }
        return "{\(groups.joined(separator: "-"))}"
    }

    func withWireBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high, low), body)
    }
}

extension GUID: CustomStringConvertible {
    /// The same as `text`.
    package var description: String { text }
}
