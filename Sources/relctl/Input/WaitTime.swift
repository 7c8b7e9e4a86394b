// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A length of time as people type it: `500ms`, `10s`, `2m`; a bare number means seconds. At most a day.
struct WaitTime: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let units: [(suffix: String, milliseconds: Int64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("", 1_000)]
        guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }) else { return nil }
        let digits = argument.dropLast(unit.suffix.count)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits),
            (1...86_400_000 / unit.milliseconds).contains(count)
        else { return nil }
        duration = .milliseconds(count * unit.milliseconds)
    }

    init(seconds: Int64) {
        duration = .seconds(seconds)
    }

    /// For the help.
    var defaultValueDescription: String { "\(duration.components.seconds)s" }
}
