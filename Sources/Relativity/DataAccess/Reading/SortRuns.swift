// SPDX-License-Identifier: Apache-2.0

/// A binary heap: the first element is before all others.
struct Heap<Element> {
    private var elements: [Element] = []
    private let isBefore: (Element, Element) -> Bool

    /// - Parameter isBefore: a strict order.
    init(_ isBefore: @escaping (Element, Element) -> Bool) {
        self.isBefore = isBefore
    }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, isBefore(elements[index], elements[(index - 1) / 2]) {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements.swapAt(0, elements.count - 1)
        let first = elements.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
                if isBefore(elements[child], elements[least]) { least = child }
            }
            guard least != index else { return first }
            elements.swapAt(index, least)
            index = least
        }
    }
}

/// Reads a sorted run of a temporary file from its beginning.
struct RunReader {
    private static let headBytes = 16

    private let file: SpillFile
    private let bufferSize: Int
    /// The part of the run that was not read.
    private var rest: Range<Int>
    private var buffer: [UInt8] = []
    private var position = 0
    /// The key of the current row.
    private(set) var key: ArraySlice<UInt8> = []
    /// The current row.
    private(set) var row: ArraySlice<UInt8> = []

    /// - Parameter bufferSize: the bytes that are read at a time, unless a row is larger.
    init(_ run: Range<Int>, of file: SpillFile, bufferSize: Int) {
        rest = run
        self.file = file
        self.bufferSize = bufferSize
    }

    /// Moves to the next row. Before the first call there is no current row.
    ///
    /// - Returns: false after the last row.
    /// - Throws: `PlatformError`.
    mutating func advance() throws -> Bool {
        (key, row) = ([], [])
        guard position < buffer.count || !rest.isEmpty else { return false }
        try fill(Self.headBytes)
        let keyCount = count(at: position)
        let total = count(at: position + 8)
        try fill(Self.headBytes + total)
        let start = position + Self.headBytes
        position = start + total
        key = buffer[start..<(start + keyCount)]
        row = buffer[(start + keyCount)..<position]
        return true
    }

    /// Reads until the buffer has this many bytes from its position.
    private mutating func fill(_ needed: Int) throws {
        guard buffer.count - position < needed else { return }
        buffer.removeSubrange(..<position)
        position = 0
        let count = min(rest.count, max(bufferSize, needed - buffer.count))
        let part = rest.prefix(count)
        rest = rest.dropFirst(count)
        try file.read(part, into: &buffer)
    }

    private func count(at index: Int) -> Int {
        Int(buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt64.self) })
    }
}
