// SPDX-License-Identifier: Apache-2.0

/// A length of time as a person says it: `90 s`, `45 min`, `12 h`, `3 days`. The next unit begins at two of it.
struct PlainSpan: CustomStringConvertible {
    private static let units: [(seconds: Int64, name: String)] = [(86_400, "days"), (3_600, "h"), (60, "min")]

    let description: String

    init(seconds: Int64) {
        let unit = Self.units.first { seconds >= 2 * $0.seconds } ?? (1, "s")
        // To the nearest: 11 h 59 min are 12 h.
        description = "\((max(0, seconds) + unit.seconds / 2) / unit.seconds) \(unit.name)"
    }
}
