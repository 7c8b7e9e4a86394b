// SPDX-License-Identifier: Apache-2.0

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

    let kind: Kind
    /// Nil if nothing is ignored.
    let folding: FoldingTable?

    /// A comparison with a literal.
    ///
    /// - Parameter operation: not `notEqual`.
    init(_ operation: PredicateOperator, _ literal: String, _ folding: PredicateFolding) {
        self.folding = FoldingTable.table(for: folding)
        let scalars = Self.scalars(literal, self.folding)
        switch operation {
        case .equal, .notEqual: kind = .equal(scalars)
        case .beginsWith: kind = .prefix(scalars)
        case .endsWith: kind = .suffix(scalars)
        case .contains: kind = .contains(scalars)
        case .like: kind = Self.kind(ScalarPattern(literal, folding: self.folding))
        case .less, .lessOrEqual, .greater, .greaterOrEqual: kind = .order(operation, scalars)
        }
    }

    /// Whether a text is one of several.
    init(_ literals: [String], _ folding: PredicateFolding) {
        let table = FoldingTable.table(for: folding)
        self.folding = table
        kind = .isIn(literals.map { Self.scalars($0, table) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// Simplifies patterns without wildcards inside.
    private static func kind(_ pattern: ScalarPattern) -> Kind {
        var elements = pattern.elements[...]
        let isOpenAtStart = elements.first == .anyText
        if isOpenAtStart { elements.removeFirst() }
        let isOpenAtEnd = elements.last == .anyText
        if isOpenAtEnd { elements.removeLast() }
        guard elements.allSatisfy({ $0 != .any && $0 != .anyText }) else { return .like(pattern) }
        let literal = elements.map(\.code)
        return switch (isOpenAtStart, isOpenAtEnd) {
        case (false, false): .equal(literal)
        case (false, true): .prefix(literal)
        case (true, false): .suffix(literal)
        case (true, true): .contains(literal)
        }
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
