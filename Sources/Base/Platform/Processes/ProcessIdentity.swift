// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A process, with its start time, because the kernel reuses the IDs of processes.
package struct ProcessIdentity: Sendable, Hashable {
    private static let maximumBytes = 8 << 10

    /// The process ID.
    package let pid: Int32
    /// In clock ticks since boot.
    package let startTime: UInt64

    /// An identity with these values, of a process that may have exited.
    package init(pid: Int32, startTime: UInt64) {
        self.pid = pid
        self.startTime = startTime
    }

    /// Reads the start time of a process.
    ///
    /// - Returns: nil if there is no such process.
    package init?(running pid: Int32) {
        guard let text = TextFile.read("/proc/\(pid)/stat", maximumBytes: Self.maximumBytes),
            let startTime = Self.startTime(inStat: text)
        else { return nil }
        self.init(pid: pid, startTime: startTime)
    }

    /// Whether the process still runs as this user. Its effective user counts.
    package func isRunning(as user: uid_t) -> Bool {
        guard let text = TextFile.read("/proc/\(pid)/status", maximumBytes: Self.maximumBytes),
            Self.effectiveUser(inStatus: text) == user
        else { return false }
        // Last, so that both values are of the same process.
        return ProcessIdentity(running: pid) == self
    }

    /// Reads field 22 of proc(5)'s `stat`. The name of the process, field 2, may contain anything, also parentheses.
    static func startTime(inStat text: String) -> UInt64? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    /// Reads the second value of the line `Uid:` of proc(5)'s `status`. An earlier line cannot contain a line break.
    static func effectiveUser(inStatus text: String) -> uid_t? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Uid:\t") }) else { return nil }
        let values = line.split(separator: "\t")
        return values.count > 2 ? uid_t(values[2]) : nil
    }
}
