// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The forms in which a ClientID may stand in a message, and what each is replaced by.
struct ClientIDNeedles: Sendable {
    private struct Needle {
        let pattern: [UInt8]
        let replacement: [UInt8]
        /// Hexadecimal text: compared without case, replaced in the case found.
        let isText: Bool
    }

    private let needles: [Needle]
    /// For each byte value, the set of needles that may begin with it.
    private let starts: [UInt16]

    init(secret: ClientID, replacement: ClientID) {
        needles = zip(Self.forms(of: secret), Self.forms(of: replacement)).map { secret, replacement in
            Needle(pattern: secret.bytes, replacement: replacement.bytes, isText: secret.isText)
        }
        var starts = [UInt16](repeating: 0, count: 256)
        for (index, needle) in needles.enumerated() {
            for byte in UInt8.min...UInt8.max
            where (needle.isText ? Self.lowercased(byte) : byte) == needle.pattern[0] {
                starts[Int(byte)] |= 1 << index
            }
        }
        self.starts = starts
    }

    /// Replaces every occurrence; the length stays. One pass over the bytes.
    func replaceAll(in buffer: inout ByteBuffer) {
        buffer.withUnsafeMutableReadableBytes { bytes in
            var position = 0
            while position < bytes.count {
                let candidates = starts[Int(bytes[position])]
                let found = candidates == 0 ? nil : needle(at: position, in: bytes, among: candidates)
                guard let found else {
                    position += 1
                    continue
                }
                replace(found, at: position, in: bytes)
                position += found.pattern.count
            }
        }
    }

    private func needle(at position: Int, in bytes: UnsafeMutableRawBufferPointer, among set: UInt16) -> Needle? {
        needles.indices.lazy
            .filter { set & 1 << $0 != 0 }
            .map { needles[$0] }
            .first { needle in
                position + needle.pattern.count <= bytes.count
                    && needle.pattern.indices.allSatisfy { offset in
                        let byte = bytes[position + offset]
                        return (needle.isText ? Self.lowercased(byte) : byte) == needle.pattern[offset]
                    }
            }
    }

    private func replace(_ needle: Needle, at position: Int, in bytes: UnsafeMutableRawBufferPointer) {
        let range = position..<(position + needle.pattern.count)
        let isUpper = needle.isText && bytes[range].contains { $0 != Self.lowercased($0) }
        for (offset, byte) in needle.replacement.enumerated() {
            bytes[position + offset] = isUpper ? Self.uppercased(byte) : byte
        }
    }

    /// The forms in an order that does not depend on the value.
    private static func forms(of id: ClientID) -> [(bytes: [UInt8], isText: Bool)] {
        let wire = id.withWireBytes { Array($0) }
        let straight = GUID.textOrder.map { wire[$0] }
        return [wire, straight].flatMap { raw -> [(bytes: [UInt8], isText: Bool)] in
            let hyphens = Array(raw.withUnsafeBytes { GUID(wireBytes: $0) }.text.utf8.dropFirst().dropLast())
            let bare = hyphens.filter { $0 != UInt8(ascii: "-") }
            return [
                (raw, false), (hyphens, true), (bare, true), (hyphens.flatMap { [$0, 0] }, true),
                (bare.flatMap { [$0, 0] }, true),
            ]
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) ? byte & ~0x20 : byte
    }
}
