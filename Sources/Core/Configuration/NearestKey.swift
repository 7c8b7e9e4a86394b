// SPDX-License-Identifier: Apache-2.0

/// Finds the key that a mistyped one means.
enum NearestKey {
    /// Longer keys are not compared. No known key is half as long.
    private static let longest = 64

    /// Returns the most similar key: at most 2 edits away, or a third of its length. If several are equally similar, the
    /// first one by name.
    static func find(_ key: String, among known: some Sequence<String>) -> String? {
        guard key.utf8.count <= longest else { return nil }
        let limit = max(2, key.utf8.count / 3)
        let candidates = known.map { (distance: distance(key, $0), key: $0) }
            .filter { $0.distance <= limit && $0.distance < key.utf8.count && $0.distance > 0 }
        return candidates.min { ($0.distance, $0.key) < ($1.distance, $1.key) }?.key
    }

    /// Returns the Levenshtein distance in bytes.
    static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second.utf8)
        var row = Array(0...second.count)
        for (index, byte) in first.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
