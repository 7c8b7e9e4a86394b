// SPDX-License-Identifier: Apache-2.0

/// Finds the known name that a mistyped one means.
package enum NearestName {
    /// Longer names are not compared.
    private static let longest = 64

    /// Returns the most similar name: at most 2 edits away (1 of a name of up to 3 bytes), or a third of its length. If
    /// several are equally similar, the first one by name. Differences of case cost nothing, but an equal name is not
    /// returned.
    package static func find(_ name: String, among known: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let limit = name.utf8.count <= 3 ? 1 : max(2, name.utf8.count / 3)
        let folded = NameKey(name).bytes
        var best: (distance: Int, name: String)?
        for other in known where other != name && abs(other.utf8.count - folded.count) <= limit {
            let distance = distance(folded, NameKey(other).bytes)
            guard distance <= limit, distance < folded.count else { continue }
            if let best, (best.distance, best.name) <= (distance, other) { continue }
            best = (distance, other)
        }
        return best?.name
    }

    /// Returns the Levenshtein distance in bytes.
    package static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (index, byte) in first.enumerated() {
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
