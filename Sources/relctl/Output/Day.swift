// SPDX-License-Identifier: Apache-2.0

import Glibc

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
