// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A time stamp from two clocks: wall-clock time, which can be set, and time since boot, which cannot.
struct AuditMoment: Sendable, Hashable {
    /// Milliseconds since 1970.
    let wall: Int64
    /// Milliseconds since boot, including sleep.
    let boot: Int64

    static func now() -> AuditMoment {
        AuditMoment(wall: milliseconds(CLOCK_REALTIME), boot: milliseconds(CLOCK_BOOTTIME))
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
