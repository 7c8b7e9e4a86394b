// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A length of time as people type it: `500ms`, `90s`, `30m`, `8h`; a bare number means seconds. At most a day.
struct TimeSpan: ExpressibleByArgument {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("", 1_000),
    ]

    let duration: Duration

    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.suffix) }) else { return nil }
        let digits = argument.dropLast(unit.suffix.count)
        // Int64 alone would also read a sign.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits),
            (1...86_400_000 / unit.milliseconds).contains(count)
        else { return nil }
        duration = .milliseconds(count * unit.milliseconds)
    }

    init(seconds: Int64) {
        duration = .seconds(seconds)
    }

    /// Whole seconds.
    var seconds: Int64 { duration.components.seconds }

    /// For the help.
    var defaultValueDescription: String {
        seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
