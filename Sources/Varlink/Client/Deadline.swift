// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A time on the monotonic clock, for poll(2).
struct Deadline {
    private let milliseconds: Int64

    /// - Returns: nil, which means no deadline, if `duration` is nil or too long for the clock.
    init?(after duration: Duration?) {
        guard let duration else { return nil }
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return nil }
        // Rounded up, so that a wait is never shorter than requested.
        let wait = product.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        let due = Self.now.addingReportingOverflow(max(0, wait.partialValue))
        guard !wait.overflow, !due.overflow else { return nil }
        milliseconds = due.partialValue
    }

    /// The timeout for poll(2) in milliseconds: 0 when the deadline has passed, at most `Int32.max`.
    var remaining: Int32 {
        Int32(clamping: max(0, milliseconds - Self.now))
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
