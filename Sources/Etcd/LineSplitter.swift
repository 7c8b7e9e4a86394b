// SPDX-License-Identifier: Apache-2.0

/// Splits a stream of bytes into lines of limited length.
struct LineSplitter {
    private let limit: Int
    private var rest: [UInt8] = []
    /// The number of leading bytes of `rest` that contain no line feed.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that end within these bytes, except empty ones.
    /// - Throws: `tooLarge` if a line is longer than the limit.
    mutating func append(_ bytes: some Sequence<UInt8>) throws(EtcdError) -> [[UInt8]] {
        rest += bytes
        var lines: [[UInt8]] = []
        var start = 0
        while let end = rest[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            if end > start { lines.append(Array(rest[start..<end])) }
            start = end + 1
        }
        rest.removeSubrange(..<start)
        searched = rest.count
        guard rest.count <= limit, lines.allSatisfy({ $0.count <= limit }) else { throw .tooLarge(limit: limit) }
        return lines
    }
}
