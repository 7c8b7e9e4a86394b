// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Platform

/// A test of the bytes of a cell. It contains no references, because counting them for each row takes longer than the
/// test. Literals are in memory that all tests of a predicate share.
struct RawTest: Sendable {
    private enum Kind: Sendable {
        case null
        case range(low: Int64, high: Int64)
        /// Sorted numbers of 8 bytes.
        case isIn(Range<Int>)
        case floats(low: Double, high: Double)
        /// One of several texts; each is in the form of a cell: a count and its bytes.
        case text(TextOperation, Range<Int>)
        /// The value has to be decoded.
        case undecided
    }

    private enum TextOperation: Sendable {
        case equal
        case prefix
        case suffix
        case contains
    }

    private let kind: Kind
    private let type: DataType
    private let isNegated: Bool
    /// Whether characters have two bytes.
    private let isWide: Bool
    /// Whether only ASCII is decided: the literals are folded, and every other character may have a longer image, or the
    /// field has a code page.
    private let isASCIIOnly: Bool
    /// Whether the complete text must be ASCII, because another byte may have no character.
    private let readsAll: Bool
    /// Whether ASCII letters are compared as small ones.
    private let lowers: Bool

    /// - Parameter literals: receives the literals of the test.
    init(_ test: CellTest, _ literals: inout [UInt8]) {
        type = test.type
        isNegated = test.isNegated
        isWide = type.form == .wide
        var folding: FoldingTable?
        switch test.kind {
        case .null: kind = .null
        case .range(let range): kind = .range(low: range.lowerBound, high: range.upperBound)
        case .isIn(let keys):
            kind = .isIn(literals.count..<(literals.count + 8 * keys.count))
            for key in keys { withUnsafeBytes(of: key.littleEndian) { literals += $0 } }
        case .floats(let low, let high): kind = .floats(low: low, high: high)
        case .text(let text):
            folding = text.folding
            kind = Self.kind(text, type.form, isASCIIOnly: text.folding != nil || test.codePage != nil, &literals)
        case .never:
            // NaN and invalid dates compare like NULL.
            kind = type == .float || type == .singleFloat ? .floats(low: 1, high: 0) : .range(low: 1, high: 0)
        case .numbers, .fields: kind = .undecided
        }
        isASCIIOnly = folding != nil || test.codePage != nil
        readsAll = test.codePage != nil
        lowers = folding?.lowersASCII ?? false
    }

    private static func kind(
        _ test: TextTest,
        _ form: CellForm?,
        isASCIIOnly: Bool,
        _ literals: inout [UInt8]
    ) -> Kind {
        guard form == .counted || form == .wide else { return .undecided }
        let operation: TextOperation
        let texts: [[UInt32]]
        switch test.kind {
        case .equal(let text): (operation, texts) = (.equal, [text])
        case .prefix(let text): (operation, texts) = (.prefix, [text])
        case .suffix(let text): (operation, texts) = (.suffix, [text])
        case .contains(let text): (operation, texts) = (.contains, [text])
        // Many texts are faster to search by halves.
        case .isIn(let all) where all.count <= 8: (operation, texts) = (.equal, all)
        case .isIn, .order, .like: return .undecided
        }
        // An unpaired surrogate of a cell is read as U+FFFD.
        if form == .wide, texts.contains(where: { $0.contains(0xFFFD) }) { return .undecided }
        let start = literals.count
        for text in texts {
            guard let bytes = bytes(text, form) else {
                if isASCIIOnly { return .undecided }
                continue
            }
            withUnsafeBytes(of: Int32(bytes.count).littleEndian) { literals += $0 }
            literals += bytes
        }
        return .text(operation, start..<literals.count)
    }

    /// Returns a text as in a cell; nil if no cell can hold it.
    private static func bytes(_ scalars: [UInt32], _ form: CellForm?) -> [UInt8]? {
        if form == .counted {
            let latin1 = scalars.compactMap(UInt8.init(exactly:))
            return latin1.count == scalars.count ? latin1 : nil
        }
        let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
        return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// Tests a cell.
    ///
    /// - Parameter position: of the cell; `RowLayout.nullPosition` for NULL.
    /// - Returns: nil if the value has to be decoded. Never nil for NULL.
    @inline(__always)
    func matches(
        _ bytes: UnsafeRawBufferPointer,
        _ position: Int,
        _ literals: UnsafeRawBufferPointer
    ) -> Bool? {
        let isNull = position == RowLayout.nullPosition
        if case .null = kind { return isNull != isNegated }
        guard !isNull else { return false }
        switch kind {
        case .null, .undecided: return nil
        case .range(let low, let high):
            guard let key = CellOrder.counted(bytes, position, type) else { return false }
            return (low <= key && key <= high) != isNegated
        case .isIn(let range):
            guard let key = CellOrder.counted(bytes, position, type) else { return false }
            return Self.contains(key, literals, range) != isNegated
        case .floats(let low, let high):
            let number =
                type == .float
                ? Double(bitPattern: Self.load(bytes, position))
                : Double(Float(bitPattern: Self.load(bytes, position)))
            guard !number.isNaN else { return false }
            return (low <= number && number <= high) != isNegated
        case .text(let operation, let range):
            return matches(Self.counted(bytes, position), operation, literals, range).map { $0 != isNegated }
        }
    }

    @inline(__always)
    private static func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer,
        _ position: Int
    ) -> Value {
        Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
    }

    /// Searches sorted numbers.
    private static func contains(_ key: Int64, _ literals: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        var (low, high) = (0, range.count / 8)
        while low < high {
            let middle = (low + high) / 2
            let number: Int64 = load(literals, range.lowerBound + 8 * middle)
            if number == key { return true }
            if key < number { high = middle } else { low = middle + 1 }
        }
        return false
    }
}

extension RawTest {
    /// The content of a cell that begins with a count.
    @inline(__always)
    private static func counted(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UnsafeRawBufferPointer {
        let start = position + 4
        return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + RowLayout.count(bytes, position))])
    }

    private func matches(
        _ text: UnsafeRawBufferPointer,
        _ operation: TextOperation,
        _ literals: UnsafeRawBufferPointer,
        _ range: Range<Int>
    ) -> Bool? {
        var position = range.lowerBound
        while position < range.upperBound {
            let literal = Self.counted(literals, position)
            if isASCIIOnly, !isASCII(text, count: decisiveCount(operation, literal.count)) { return nil }
            let isTrue =
                switch operation {
                case .equal: text.count == literal.count && occurs(literal, text, 0)
                case .prefix: text.count >= literal.count && occurs(literal, text, 0)
                case .suffix: text.count >= literal.count && occurs(literal, text, text.count - literal.count)
                case .contains: contains(literal, text)
                }
            if isTrue { return true }
            position += 4 + literal.count
        }
        return false
    }

    /// The number of bytes at the beginning of a text that decide.
    private func decisiveCount(_ operation: TextOperation, _ literalCount: Int) -> Int {
        switch operation {
        case _ where readsAll: .max
        case .equal: literalCount + (isWide ? 2 : 1)
        case .prefix: literalCount
        case .suffix, .contains: .max
        }
    }

    private func isASCII(_ text: UnsafeRawBufferPointer, count: Int) -> Bool {
        var seen: UInt16 = 0
        for position in stride(from: 0, to: min(count, text.count), by: isWide ? 2 : 1) { seen |= unit(text, position) }
        return seen < 0x80
    }

    /// Reads a character, and folds it if the test does. Only for ASCII the result is folded as Unicode demands.
    @inline(__always)
    private func unit(_ text: UnsafeRawBufferPointer, _ position: Int) -> UInt16 {
        let unit: UInt16 = isWide ? Self.load(text, position) : UInt16(text[position])
        return lowers && (0x41...0x5A).contains(unit) ? unit | 0x20 : unit
    }

    @inline(__always)
    private func occurs(_ literal: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard lowers else {
            guard let wanted = literal.baseAddress, let text = text.baseAddress else { return true }
            return memcmp(text + start, wanted, literal.count) == 0
        }
        return stride(from: 0, to: literal.count, by: isWide ? 2 : 1).allSatisfy { position in
            unit(text, start + position) == unit(literal, position)
        }
    }

    private func contains(_ literal: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Bool {
        guard !literal.isEmpty else { return true }
        guard isWide || lowers else { return ByteSearch.contains(text, literal) }
        let first = unit(literal, 0)
        // Characters of two bytes begin at even distances.
        return stride(from: 0, through: text.count - literal.count, by: isWide ? 2 : 1).contains { position in
            unit(text, position) == first && occurs(literal, text, position)
        }
    }
}
