// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The code that the start of the daemon has run, nearly all of the program and of its libraries.
enum StartUpCode {
    /// Lets go of the mapped code: half of what the daemon would be resident with for as long as it sleeps. What runs again
    /// is mapped anew out of the page cache, where it stays as before.
    static func release() {
        guard let maps = TextFile.read("/proc/self/maps", maximumBytes: 1 << 20) else { return }
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            // Only what can be neither written to nor lost: code that is in a file.
            guard fields.count > 1, fields[1] == "r-xp", fields.last?.hasPrefix("/") == true else { continue }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, let start = UnsafeMutableRawPointer(bitPattern: bounds[0]) else { continue }
            madvise(start, Int(bounds[1] - bounds[0]), MADV_DONTNEED)
        }
    }
}
