// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Platform

/// A test of a text, by Unicode scalars, after folding.
struct TextTest: Sendable {
    enum Kind: Sendable {
        case equal([UInt32])
        case prefix([UInt32])
        case suffix([UInt32])
        case contains([UInt32])
        case order(PredicateOperator, [UInt32])
        case like(ScalarPattern)
        case isIn(Set<[UInt32]>)
    }

    private let kind: Kind
    private let folding: FoldingTable?
    /// The same test on the bytes of a cell; nil if the cell has to be decoded.
    private let raw: RawTest?

    /// A test of the bytes of a cell: no text is decoded.
    private enum RawTest: Sendable {
        case equal([UInt8])
        case prefix([UInt8])
        case suffix([UInt8])
        /// Only in cells with one byte per character.
        case contains([UInt8])
        /// No text of the column is equal to the literal or contains it.
        case never
    }

    /// A comparison with a literal.
    ///
    /// - Parameter operation: not `notEqual`.
    init(_ operation: PredicateOperator, _ literal: String, _ folding: PredicateFolding, form: CellForm?) {
        self.folding = FoldingTable.table(for: folding)
        let scalars = Self.scalars(literal, self.folding)
        switch operation {
        case .equal, .notEqual: kind = .equal(scalars)
        case .beginsWith: kind = .prefix(scalars)
        case .endsWith: kind = .suffix(scalars)
        case .contains: kind = .contains(scalars)
        case .like: kind = .like(ScalarPattern(literal, folding: self.folding))
        case .less, .lessOrEqual, .greater, .greaterOrEqual: kind = .order(operation, scalars)
        }
        raw = folding.isEmpty ? Self.raw(kind, scalars, form) : nil
    }

    /// Whether a text is one of several.
    init(_ literals: [String], _ folding: PredicateFolding) {
        self.folding = FoldingTable.table(for: folding)
        kind = .isIn(Set(literals.map { [table = self.folding] in Self.scalars($0, table) }))
        raw = nil
    }

    private static func raw(_ kind: Kind, _ scalars: [UInt32], _ form: CellForm?) -> RawTest? {
        let bytes: [UInt8]
        switch form {
        case .counted:
            let latin1 = scalars.compactMap(UInt8.init(exactly:))
            guard latin1.count == scalars.count else {
                if case .like = kind { return nil }
                if case .order = kind { return nil }
                return .never
            }
            bytes = latin1
        case .wide:
            // An unpaired surrogate of a cell is read as U+FFFD.
            guard !scalars.contains(0xFFFD) else { return nil }
            let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
            bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        default: return nil
        }
        return switch kind {
        case .equal: .equal(bytes)
        case .prefix: .prefix(bytes)
        case .suffix: .suffix(bytes)
        case .contains: form == .counted ? .contains(bytes) : nil
        case .order, .like, .isIn: nil
        }
    }

    static func scalars(_ text: String, _ folding: FoldingTable?) -> [UInt32] {
        var result: [UInt32] = []
        append(text, folding, to: &result)
        return result
    }

    private static func append(_ text: String, _ folding: FoldingTable?, to scalars: inout [UInt32]) {
        for scalar in text.unicodeScalars {
            if let folding { folding.append(scalar.value, to: &scalars) } else { scalars.append(scalar.value) }
        }
    }

    /// - Parameter scratch: memory for decoding, kept from row to row.
    func matches(_ text: String, _ scratch: inout [UInt32]) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        Self.append(text, folding, to: &scratch)
        return matches(scratch)
    }

    /// Tests the content of a cell.
    func matches(
        _ bytes: UnsafeRawBufferPointer,
        _ content: Range<Int>,
        _ form: CellForm,
        _ scratch: inout [UInt32]
    ) -> Bool {
        if let raw { return Self.matches(raw, bytes, content) }
        scratch.removeAll(keepingCapacity: true)
        if form == .wide {
            decodeWide(bytes, content, &scratch)
        } else if let folding {
            for index in content { folding.append(UInt32(bytes[index]), to: &scratch) }
        } else {
            for index in content { scratch.append(UInt32(bytes[index])) }
        }
        return matches(scratch)
    }

    /// Decodes UTF-16 as `CellReader` does.
    private func decodeWide(_ bytes: UnsafeRawBufferPointer, _ content: Range<Int>, _ scratch: inout [UInt32]) {
        var position = content.lowerBound
        func unit(at position: Int) -> UInt32 {
            UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
        }
        while position + 1 < content.upperBound {
            var scalar = unit(at: position)
            position += 2
            if scalar & 0xF800 == 0xD800 {
                let next = position + 1 < content.upperBound ? unit(at: position) : 0
                if scalar & 0xFC00 == 0xD800, next & 0xFC00 == 0xDC00 {
                    scalar = 0x1_0000 + (scalar & 0x3FF) << 10 | (next & 0x3FF)
                    position += 2
                } else {
                    scalar = 0xFFFD
                }
            }
            if let folding { folding.append(scalar, to: &scratch) } else { scratch.append(scalar) }
        }
    }

    private static func matches(_ test: RawTest, _ bytes: UnsafeRawBufferPointer, _ content: Range<Int>) -> Bool {
        switch test {
        case .never: false
        case .equal(let needle): content.count == needle.count && occurs(needle, bytes, content.lowerBound)
        case .prefix(let needle): content.count >= needle.count && occurs(needle, bytes, content.lowerBound)
        case .suffix(let needle):
            content.count >= needle.count && occurs(needle, bytes, content.upperBound - needle.count)
        case .contains(let needle):
            needle.withUnsafeBytes { ByteSearch.contains(UnsafeRawBufferPointer(rebasing: bytes[content]), $0) }
        }
    }

    private static func occurs(_ needle: [UInt8], _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
        needle.withUnsafeBytes { needle in
            guard let start = bytes.baseAddress, let needleStart = needle.baseAddress else { return needle.isEmpty }
            return memcmp(start + position, needleStart, needle.count) == 0
        }
    }

    private func matches(_ text: [UInt32]) -> Bool {
        switch kind {
        case .equal(let literal): text == literal
        case .prefix(let literal): text.starts(with: literal)
        case .suffix(let literal): text.count >= literal.count && text[(text.count - literal.count)...] == literal[...]
        case .contains(let literal): Self.contains(text, literal)
        case .like(let pattern): pattern.matches(text)
        case .isIn(let literals): literals.contains(text)
        case .order(let operation, let literal): operation.isTrue(forOrder: Self.order(text, literal))
        }
    }

    private static func contains(_ text: [UInt32], _ needle: [UInt32]) -> Bool {
        text.withUnsafeBytes { text in
            needle.withUnsafeBytes { needle in
                guard needle.count > 0 else { return true }
                guard let start = text.baseAddress, let needleStart = needle.baseAddress else { return false }
                var position = 0
                while position + needle.count <= text.count {
                    if memcmp(start + position, needleStart, needle.count) == 0 { return true }
                    position += 4
                }
                return false
            }
        }
    }

    /// Returns -1, 0 or 1.
    static func order(_ left: [UInt32], _ right: [UInt32]) -> Int {
        for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
        return left.count < right.count ? -1 : left.count == right.count ? 0 : 1
    }
}

extension PredicateOperator {
    /// Whether the operator holds for operands whose order is -1, 0 or 1. Not for tests of text.
    func isTrue(forOrder order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .beginsWith, .endsWith, .contains, .like: false
        }
    }
}
