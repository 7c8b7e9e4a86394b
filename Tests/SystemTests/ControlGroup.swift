// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A cgroup with a limit on its memory.
struct ControlGroup {
    private let path: String
    /// The file in which the kernel counts the killed processes.
    private let counter: String

    /// - Returns: nil if none can be made, as in most containers.
    init?(bytes: Int) {
        let name = "relativityd-test-\(getpid())"
        let places = [
            // Version 1, and version 2.
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.oom_control"),
            ("/sys/fs/cgroup", "memory.max", "memory.events"),
        ]
        for (parent, limit, counter) in places where mkdir("\(parent)/\(name)", 0o755) == 0 {
            let group = Self(path: "\(parent)/\(name)", counter: counter)
            if TextFile.write("\(bytes)", to: "\(group.path)/\(limit)"), group.kills != nil {
                self = group
                return
            }
            rmdir(group.path)
        }
        return nil
    }

    private init(path: String, counter: String) {
        self.path = path
        self.counter = counter
    }

    /// Arguments that start a program in it.
    var wrapper: [String] { ["sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"", path] }

    /// The number of processes that the kernel has killed for lack of memory.
    var kills: Int? {
        let lines = TextFile.text(of: "\(path)/\(counter)").split(separator: "\n")
        return lines.first { $0.hasPrefix("oom_kill ") }.flatMap { Int($0.dropFirst(9)) }
    }

    /// - Returns: false while it contains a process.
    func remove() -> Bool { rmdir(path) == 0 }
}
