// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The memory of a process that it has written to and shares with no other process: `Private_Dirty` of
/// proc_pid_smaps(5).
package enum PrivateMemory {
    struct Unreadable: Error {
        let report: String
    }

    /// The memory of the test itself, in bytes. Freed memory is returned to the system first, so that it does not hide
    /// growth.
    package static func own() throws -> Int {
        // The Swift module of the C library does not export it.
        let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self) }
        _ = trim?(0)
        return try bytes(in: TextFile.text(of: "/proc/self/smaps_rollup"))
    }

    /// - Parameter report: the text of `smaps_rollup`.
    package static func bytes(in report: String) throws -> Int {
        let line = report.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        let words = line?.split(separator: " ") ?? []
        guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else {
            throw Unreadable(report: report)
        }
        return kilobytes * 1_024
    }
}
