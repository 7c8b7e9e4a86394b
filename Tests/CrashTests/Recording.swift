// SPDX-License-Identifier: Apache-2.0

/// The system calls of one save, in order.
struct Recording {
    let calls: [RecordedCall]

    /// Nothing that a disk keeps depends on these: a crash at one of them is a crash at the call before or after. That
    /// includes close, which Linux does whatever it answers; and a file may be closed by whichever thread needs it last.
    private static let irrelevant: Set<String> = [
        "brk", "clock_gettime", "close", "clone3", "futex", "getegid", "geteuid", "getgid", "getpid", "getrandom",
        "gettid",
        "getuid",
        "madvise", "mmap", "mprotect", "mremap", "munmap", "prctl", "restart_syscall", "rseq", "rt_sigprocmask",
        "set_robust_list", "sched_yield", "uname",
    ]

    /// - Parameter trace: of `strace -y` on the one thread that saves.
    init(_ trace: String) {
        var all: [RecordedCall] = []
        for line in trace.split(separator: "\n") {
            if let call = RecordedCall(line, after: all) { all.append(call) }
        }
        calls = all.filter { !Self.irrelevant.contains($0.name) }
    }
}
