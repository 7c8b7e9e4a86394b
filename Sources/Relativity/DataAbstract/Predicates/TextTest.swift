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
        /// Sorted.
        case isIn([[UInt32]])
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
        /// In cells with one byte per character.
        case contains([UInt8])
        /// In UTF-16, only at even distances.
        case wideContains([UInt8])
        case isIn([[UInt8]])
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
    init(_ literals: [String], _ folding: PredicateFolding, form: CellForm?) {
        let table = FoldingTable.table(for: folding)
        self.folding = table
        let texts = literals.map { Self.scalars($0, table) }
        kind = .isIn(texts.sorted { $0.lexicographicallyPrecedes($1) })
        let bytes = texts.map { Self.bytes($0, form) }
        // Many literals are faster to search by halves.
        guard folding.isEmpty, literals.count <= 8, form == .counted || form == .wide, !bytes.contains(nil) else {
            raw = nil
            return
        }
        raw = .isIn(bytes.compactMap(\.self))
    }

    private static func raw(_ kind: Kind, _ scalars: [UInt32], _ form: CellForm?) -> RawTest? {
        guard form == .counted || form == .wide else { return nil }
        let bytes = bytes(scalars, form)
        if bytes == nil, form == .wide { return nil }
        return switch kind {
        case .equal: bytes.map { .equal($0) } ?? .never
        case .prefix: bytes.map { .prefix($0) } ?? .never
        case .suffix: bytes.map { .suffix($0) } ?? .never
        case .contains: bytes.map { form == .wide ? .wideContains($0) : .contains($0) } ?? .never
        case .order, .like, .isIn: nil
        }
    }

    /// Returns a text as in a cell; nil if a cell cannot hold it, or if several cells are read as this text.
    private static func bytes(_ scalars: [UInt32], _ form: CellForm?) -> [UInt8]? {
        if form == .counted {
            let latin1 = scalars.compactMap(UInt8.init(exactly:))
            return latin1.count == scalars.count ? latin1 : nil
        }
        // An unpaired surrogate of a cell is read as U+FFFD.
        guard !scalars.contains(0xFFFD) else { return nil }
        let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
        return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    static func scalars(_ text: String, _ folding: FoldingTable?) -> [UInt32] {
        let scalars = text.unicodeScalars.map(\.value)
        return folding?.folded(scalars) ?? scalars
    }

    func matches(_ text: String) -> Bool {
        Self.scalars(text, folding).withUnsafeBufferPointer { matches($0) }
    }

    /// Tests the content of a cell.
    func matches(_ bytes: UnsafeRawBufferPointer, _ content: Range<Int>, _ form: CellForm) -> Bool {
        if let raw { return Self.matches(raw, bytes, content) }
        let units = form == .wide ? content.count / 2 : content.count
        let capacity = units * (folding?.longestImage ?? 1)
        // Short texts are decoded on the stack.
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { memory in
            let count = form == .wide ? decodeWide(bytes, content, memory) : decodeBytes(bytes, content, memory)
            return matches(UnsafeBufferPointer(rebasing: memory[..<count]))
        }
    }

    /// - Returns: the number of decoded scalars.
    private func decodeBytes(
        _ bytes: UnsafeRawBufferPointer,
        _ content: Range<Int>,
        _ memory: UnsafeMutableBufferPointer<UInt32>
    ) -> Int {
        var count = 0
        for byte in bytes[content] {
            if let folding {
                folding.write(UInt32(byte), to: memory, &count)
            } else {
                memory[count] = UInt32(byte)
                count += 1
            }
        }
        return count
    }

    /// Decodes UTF-16 as `CellReader` does.
    private func decodeWide(
        _ bytes: UnsafeRawBufferPointer,
        _ content: Range<Int>,
        _ memory: UnsafeMutableBufferPointer<UInt32>
    ) -> Int {
        var (position, count) = (content.lowerBound, 0)
        while position + 1 < content.upperBound {
            var scalar = Self.unit(bytes, position)
            position += 2
            if scalar & 0xF800 == 0xD800 {
                let next = position + 1 < content.upperBound ? Self.unit(bytes, position) : 0
                if scalar & 0xFC00 == 0xD800, next & 0xFC00 == 0xDC00 {
                    scalar = 0x1_0000 + (scalar & 0x3FF) << 10 | (next & 0x3FF)
                    position += 2
                } else {
                    scalar = 0xFFFD
                }
            }
            if let folding {
                folding.write(scalar, to: memory, &count)
            } else {
                memory[count] = scalar
                count += 1
            }
        }
        return count
    }

    @inline(__always)
    private static func unit(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt32 {
        UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
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
        case .wideContains(let needle): wideContains(needle, bytes, content)
        case .isIn(let needles):
            needles.contains { $0.count == content.count && occurs($0, bytes, content.lowerBound) }
        }
    }

    private static func wideContains(
        _ needle: [UInt8],
        _ bytes: UnsafeRawBufferPointer,
        _ content: Range<Int>
    ) -> Bool {
        guard needle.count >= 2 else { return true }
        let first = UInt32(needle[0]) | UInt32(needle[1]) << 8
        var position = content.lowerBound
        while position + needle.count <= content.upperBound {
            if unit(bytes, position) == first, occurs(needle, bytes, position) { return true }
            position += 2
        }
        return false
    }

    private static func occurs(_ needle: [UInt8], _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
        needle.withUnsafeBytes { needle in
            guard let start = bytes.baseAddress, let needleStart = needle.baseAddress else { return needle.isEmpty }
            return memcmp(start + position, needleStart, needle.count) == 0
        }
    }

    private func matches(_ text: UnsafeBufferPointer<UInt32>) -> Bool {
        switch kind {
        case .equal(let literal): text.count == literal.count && Self.occurs(literal, text, 0)
        case .prefix(let literal): text.count >= literal.count && Self.occurs(literal, text, 0)
        case .suffix(let literal):
            text.count >= literal.count && Self.occurs(literal, text, text.count - literal.count)
        case .contains(let literal): Self.contains(text, literal)
        case .like(let pattern): pattern.matches(text)
        case .isIn(let literals): Self.isIn(literals, text)
        case .order(let operation, let literal): operation.isTrue(forOrder: Self.order(text, literal))
        }
    }

    private static func occurs(_ needle: [UInt32], _ text: UnsafeBufferPointer<UInt32>, _ position: Int) -> Bool {
        for index in needle.indices where needle[index] != text[position + index] { return false }
        return true
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt32>, _ needle: [UInt32]) -> Bool {
        guard let first = needle.first else { return true }
        var position = 0
        while position + needle.count <= text.count {
            if text[position] == first, occurs(needle, text, position) { return true }
            position += 1
        }
        return false
    }

    /// Searches sorted texts.
    private static func isIn(_ literals: [[UInt32]], _ text: UnsafeBufferPointer<UInt32>) -> Bool {
        var range = literals.startIndex..<literals.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let order = order(text, literals[middle])
            if order == 0 { return true }
            range = order < 0 ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return false
    }

    /// Returns -1, 0 or 1.
    private static func order(_ left: UnsafeBufferPointer<UInt32>, _ right: [UInt32]) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
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
