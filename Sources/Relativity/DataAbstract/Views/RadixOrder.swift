// SPDX-License-Identifier: Apache-2.0

/// An order of elements, refined key by key from the least significant one. Each sort is stable.
struct RadixOrder {
    fileprivate struct Item {
        /// The part of the key that is compared now.
        var key: UInt64
        let element: UInt32
    }

    /// Fewer items are sorted by comparison.
    private static let fewItems = 256

    private var items: [Item]
    private var space: [Item]

    /// The elements from 0 in their order.
    init(count: Int) {
        items = (0..<count).map { Item(key: 0, element: UInt32(truncatingIfNeeded: $0)) }
        space = items
    }

    /// The elements in the order of all keys so far.
    var elements: some Sequence<Int> { items.lazy.map { Int($0.element) } }

    /// Sorts by numbers.
    ///
    /// - Parameter keys: one for each element.
    mutating func sort(by keys: [UInt64]) {
        for index in items.indices { items[index].key = keys[Int(items[index].element)] }
        withItems { $0.sort(0..<$0.count) }
    }

    /// Sorts by texts, compared byte by byte. A text is before each longer one that begins with it.
    mutating func sort(by texts: ByteTexts, isDescending: Bool) {
        texts.withBytes { texts in
            withItems { $0.sort(0..<$0.count, by: texts, isDescending ? .max : 0) }
        }
    }

    /// Puts elements first for which the flag is set.
    mutating func putFirst(_ flags: [Bool]) {
        for index in items.indices { items[index].key = flags[Int(items[index].element)] ? 0 : 1 }
        withItems { $0.sort(0..<$0.count) }
    }

    private mutating func withItems(_ body: (Items) -> Void) {
        items.withUnsafeMutableBufferPointer { items in
            space.withUnsafeMutableBufferPointer { body(Items(items: items, space: $0)) }
        }
    }

    /// The memory of both arrays. Access through the arrays would check that they are not shared for each item.
    private struct Items {
        let items: UnsafeMutableBufferPointer<Item>
        let space: UnsafeMutableBufferPointer<Item>

        var count: Int { items.count }

        /// Sorts a range by the keys of its items.
        func sort(_ range: Range<Int>) {
            guard range.count > RadixOrder.fewItems else {
                insert(range)
                return
            }
            var differences: UInt64 = 0
            let first = items[range.lowerBound].key
            for index in range { differences |= items[index].key ^ first }
            for shift in stride(from: UInt64(0), to: 64, by: 8) where differences >> shift & 0xFF != 0 {
                sort(range, byteAt: shift)
            }
        }

        private func sort(_ range: Range<Int>, byteAt shift: UInt64) {
            withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
                places.initialize(repeating: 0)
                for index in range { places[Int(items[index].key >> shift & 0xFF)] += 1 }
                var place = range.lowerBound
                for digit in 0..<256 { (places[digit], place) = (place, place + places[digit]) }
                for index in range {
                    let digit = Int(items[index].key >> shift & 0xFF)
                    space[places[digit]] = items[index]
                    places[digit] += 1
                }
                for index in range { items[index] = space[index] }
            }
        }

        /// Sorts by insertion after halves were sorted.
        private func insert(_ range: Range<Int>) {
            guard range.count > 16 else {
                for index in range.dropFirst() {
                    let item = items[index]
                    var place = index
                    while place > range.lowerBound, items[place - 1].key > item.key {
                        items[place] = items[place - 1]
                        place -= 1
                    }
                    items[place] = item
                }
                return
            }
            let middle = range.lowerBound + range.count / 2
            insert(range.lowerBound..<middle)
            insert(middle..<range.upperBound)
            for index in range { space[index] = items[index] }
            var (left, right) = (range.lowerBound, middle)
            for index in range {
                let takesRight = left == middle || right < range.upperBound && space[right].key < space[left].key
                items[index] = space[takesRight ? right : left]
                if takesRight { right += 1 } else { left += 1 }
            }
        }

        /// Sorts a range by texts: by seven bytes, then each group of equal ones by the next seven.
        ///
        /// - Parameter mask: all ones for the descending order.
        func sort(_ range: Range<Int>, by texts: ByteTexts.Memory, _ mask: UInt64) {
            var groups = [(range: range, depth: 0)]
            while let (range, depth) = groups.popLast() {
                for index in range { items[index].key = texts.part(Int(items[index].element), depth) ^ mask }
                sort(range)
                var start = range.lowerBound
                while start < range.upperBound {
                    let key = items[start].key
                    var end = start + 1
                    while end < range.upperBound, items[end].key == key { end += 1 }
                    if end - start > 1, ByteTexts.continues(key ^ mask) {
                        groups.append((start..<end, depth + ByteTexts.partBytes))
                    }
                    start = end
                }
            }
        }
    }
}

/// Texts as bytes in one block of memory.
struct ByteTexts {
    /// The bytes of a part of a text that is compared in one step.
    static let partBytes = 7

    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// Appends the text that `write` appends.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
        ends.append(bytes.count)
    }

    /// Whether a text may be longer than a part of it.
    static func continues(_ part: UInt64) -> Bool { part & 0xFF > partBytes }

    struct Memory {
        let bytes: UnsafeBufferPointer<UInt8>
        let ends: UnsafeBufferPointer<Int>

        /// Returns seven bytes of a text, and their number; 8 if there are more.
        func part(_ element: Int, _ depth: Int) -> UInt64 {
            let start = (element > 0 ? ends[element - 1] : 0) + depth
            let count = ends[element] - start
            var part: UInt64 = 0
            for index in 0..<min(count, ByteTexts.partBytes) {
                part |= UInt64(bytes[start + index]) << UInt64(56 - 8 * index)
            }
            return part | UInt64(min(count, ByteTexts.partBytes + 1))
        }
    }

    func withBytes(_ body: (Memory) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            ends.withUnsafeBufferPointer { body(Memory(bytes: bytes, ends: $0)) }
        }
    }
}
