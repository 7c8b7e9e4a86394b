// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// A duration as typed: `500ms`, `90s`, `30m`, `8h`; a number without a unit is in seconds. At most a day.
struct TimeSpan: ExpressibleByArgument {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("", 1_000),
    ]

    let duration: Duration

    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.suffix) }) else { return nil }
        let digits = argument.dropLast(unit.suffix.count)
        // Int64 alone would also accept a sign.
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

    /// The text of the default value in the help.
    var defaultValueDescription: String {
        seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}

/// A point in time, as typed and as printed.
struct Moment: ExpressibleByArgument {
    /// Seconds since 1970.
    let seconds: Int64

    init(seconds: Int64) {
        self.seconds = seconds
    }

    /// - Parameter argument: an age (`90s`, `30m`, `2h`, `7d`), or a local date with or without a time.
    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        if let unit = argument.last.flatMap({ units[$0] }) {
            guard let count = Int64(argument.dropLast()), (0...1_000_000_000).contains(count) else { return nil }
            seconds = Int64(time(nil)) - count * unit
            return
        }
        let halves = argument.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers =
            (halves[0].split(separator: "-", omittingEmptySubsequences: false)
            + (halves.count > 1 ? halves[1].split(separator: ":", omittingEmptySubsequences: false) : []))
            .compactMap { Int32($0) }
        guard [3, 5, 6].contains(numbers.count), (1_970...9_999).contains(numbers[0]),
            (halves.count > 1) == (numbers.count > 3)
        else { return nil }
        let clock = numbers.dropFirst(3) + [0, 0, 0]
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1_900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[3], clock[4], clock[5])
        // The C library determines daylight saving time.
        parts.tm_isdst = -1
        let (month, day) = (parts.tm_mon, parts.tm_mday)
        seconds = Int64(mktime(&parts))
        // mktime(3) normalises an invalid day, such as April 31, to a day of the next month.
        guard parts.tm_mon == month, parts.tm_mday == day else { return nil }
    }

    static var now: Moment { Moment(seconds: Int64(time(nil))) }

    /// Local date and time.
    var text: String { formatted("%Y-%m-%d %H:%M:%S") }

    /// Local time without the date.
    var clock: String { formatted("%H:%M:%S") }

    private func formatted(_ format: String) -> String {
        var parts = tm()
        var clock = time_t(seconds)
        localtime_r(&clock, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A day in UTC, as `2026-01-31`.
struct Day: CustomStringConvertible {
    let description: String

    /// - Parameter seconds: since 1970.
    init(_ seconds: Int64) {
        var time = time_t(seconds)
        var parts = tm()
        var text = [CChar](repeating: 0, count: 32)
        guard gmtime_r(&time, &parts) != nil, strftime(&text, text.count, "%Y-%m-%d", &parts) > 0 else {
            description = "\(seconds) s"
            return
        }
        description = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
