// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore

/// Searches messages for a ClientID in all forms in which it can occur.
///
/// Every form is at least 16 bytes long, so it always covers one complete 8-byte word at an offset that is a multiple
/// of 8. The search reads only these words. A filter with an entry for each word of each form is checked first.
struct ClientIDNeedles: Sendable {
    private struct Form {
        let bytes: [UInt8]
        /// Hexadecimal text: compared without case, replaced in the case found.
        let isText: Bool
    }

    private struct Word {
        let folded: UInt64
        let form: Int
        let offset: Int
    }

    private static let wordBytes = MemoryLayout<UInt64>.size
    private static let filterBits = 14

    private let forms: [Form]
    /// Length of the longest form in bytes.
    let longest: Int
    /// Words with the largest offset in their form come first, so that the occurrence that begins first is found.
    private let words: [Word]
    /// An entry is nonzero if words of a form have its hash.
    private let filter: [UInt8]

    init(of secret: ClientID) {
        forms = Self.forms(of: secret)
        longest = forms.reduce(0) { max($0, $1.bytes.count) }
        words = forms.enumerated().flatMap { index, form in
            (0..<Self.wordBytes).map { offset in
                let word = form.bytes.withUnsafeBytes { Self.word(at: offset, in: $0) }
                return Word(folded: word, form: index, offset: offset)
            }
        }.sorted { $0.offset > $1.offset }
        var filter = [UInt8](repeating: 0, count: 1 << Self.filterBits)
        for word in words { filter[Self.entry(of: word.folded)] = 1 }
        self.filter = filter
    }

    /// Replaces every occurrence by the same form of another ClientID, which has the same length. A buffer without
    /// occurrences is not copied.
    func replaceAll(in buffer: inout ByteBuffer, with replacement: ClientID) {
        _ = replaceAll(in: &buffer, with: replacement, from: 0, before: .max)
    }

    /// Replaces occurrences that begin at `start` or later and before `limit`.
    ///
    /// - Returns: the end of the last replaced occurrence, or `start` if there was none.
    func replaceAll(
        in buffer: inout ByteBuffer,
        with replacement: ClientID,
        from start: Int,
        before limit: Int
    ) -> Int {
        var position = start
        var replacements: [Form] = []
        while let (form, start) = buffer.withUnsafeReadableBytes({ next(in: $0, from: position) }), start < limit {
            if replacements.isEmpty { replacements = Self.forms(of: replacement) }
            position = start + forms[form].bytes.count
            buffer.withUnsafeMutableReadableBytes { bytes in
                Self.replace(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<position]), by: replacements[form])
            }
        }
        return position
    }

    /// Returns the first form that begins at `position` or later.
    private func next(in bytes: UnsafeRawBufferPointer, from position: Int) -> (form: Int, start: Int)? {
        filter.withUnsafeBufferPointer { filter in
            var place = (position + Self.wordBytes - 1) & ~(Self.wordBytes - 1)
            while place + Self.wordBytes <= bytes.count {
                // Nearly always all four entries are zero: one branch checks them together.
                while place + 4 * Self.wordBytes <= bytes.count {
                    let first = filter[Self.entry(of: Self.word(at: place, in: bytes))]
                    let second = filter[Self.entry(of: Self.word(at: place + Self.wordBytes, in: bytes))]
                    let third = filter[Self.entry(of: Self.word(at: place + 2 * Self.wordBytes, in: bytes))]
                    let fourth = filter[Self.entry(of: Self.word(at: place + 3 * Self.wordBytes, in: bytes))]
                    guard first | second | third | fourth == 0 else { break }
                    place += 4 * Self.wordBytes
                }
                guard place + Self.wordBytes <= bytes.count else { return nil }
                let word = Self.word(at: place, in: bytes)
                if filter[Self.entry(of: word)] != 0,
                    let found = form(with: word, at: place, in: bytes, from: position)
                {
                    return found
                }
                place += Self.wordBytes
            }
            return nil
        }
    }

    private func form(
        with folded: UInt64,
        at place: Int,
        in bytes: UnsafeRawBufferPointer,
        from position: Int
    ) -> (form: Int, start: Int)? {
        for word in words where word.folded == folded {
            let start = place - word.offset
            let form = forms[word.form]
            guard start >= position, start + form.bytes.count <= bytes.count else { continue }
            let isHere = form.bytes.indices.allSatisfy { index in
                let byte = bytes[start + index]
                return (form.isText ? Self.lowercased(byte) : byte) == form.bytes[index]
            }
            if isHere { return (word.form, start) }
        }
        return nil
    }

    private static func replace(_ place: UnsafeMutableRawBufferPointer, by form: Form) {
        let isUpper = form.isText && place.contains { $0 != lowercased($0) }
        for (offset, byte) in form.bytes.enumerated() { place[offset] = isUpper ? uppercased(byte) : byte }
    }

    /// All forms, in an order that does not depend on the value.
    private static func forms(of id: ClientID) -> [Form] {
        let wire = id.withWireBytes { Array($0) }
        let straight = GUID.textOrder.map { wire[$0] }
        return [wire, straight].flatMap { raw in
            let hyphens = Array(raw.withUnsafeBytes { GUID(wireBytes: $0) }.text.utf8.dropFirst().dropLast())
            let bare = hyphens.filter { $0 != UInt8(ascii: "-") }
            let texts = [hyphens, bare, hyphens.flatMap { [$0, 0] }, bare.flatMap { [$0, 0] }]
            return [Form(bytes: raw, isText: false)] + texts.map { Form(bytes: $0, isText: true) }
        }
    }

    /// Returns a word with bit 5 of each byte set. This makes upper and lower case equal, and also some other bytes.
    private static func word(at place: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) | 0x2020_2020_2020_2020
    }

    private static func entry(of folded: UInt64) -> Int {
        // 2^64 divided by the golden ratio: multiplicative hashing, which spreads similar words over the highest
        // bits.
        Int(truncatingIfNeeded: (folded &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - filterBits))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) ? byte & ~0x20 : byte
    }
}
