// SPDX-License-Identifier: Apache-2.0

/// A digest of each row of a table by the row's key. Each reading of the table is compared with the one before.
struct RowDigests {
    /// A row that the last reading did not have, or not with this content.
    enum Difference {
        case inserted
        case changed
    }

    /// Two rows of one reading have the same key.
    struct DuplicateKey: Error {}

    private struct Entry {
        var digest: Int
        /// The number of the last reading that had the key.
        var reading: Int
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// The bytes of the keys, about as they are in memory.
    private(set) var byteCount = 0
    private var reading = 0

    /// Starts a reading.
    mutating func begin() { reading += 1 }

    /// Adds a row of the reading.
    ///
    /// - Returns: nil if the last reading had the same row.
    mutating func add(key: [UInt8], digest: Int) throws(DuplicateKey) -> Difference? {
        guard let old = entries.updateValue(Entry(digest: digest, reading: reading), forKey: key) else {
            byteCount += Self.byteCount(key)
            return .inserted
        }
        guard old.reading != reading else { throw DuplicateKey() }
        return old.digest == digest ? nil : .changed
    }

    /// Ends a complete reading.
    ///
    /// - Returns: the keys that it did not have, in the order of their bytes. They are forgotten.
    mutating func finish() -> [[UInt8]] {
        let gone = entries.filter { $0.value.reading != reading }.keys
        for key in gone {
            entries[key] = nil
            byteCount -= Self.byteCount(key)
        }
        return gone.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func byteCount(_ key: [UInt8]) -> Int { key.count + 96 }
}
