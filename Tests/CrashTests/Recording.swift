// SPDX-License-Identifier: Apache-2.0

/// The system calls of one save, in order.
struct Recording {
    let calls: [RecordedCall]

    /// Calls that do not affect the content of a disk: a crash at one of them is a crash at the call before or after.
    /// This includes close, which Linux performs whatever it returns, and which may run on any thread.
    private static let irrelevant: Set<String> = [
        "brk", "clock_gettime", "close", "clone3", "futex", "getegid", "geteuid", "getgid", "getpid", "getrandom",
        "gettid",
        "getuid",
        "madvise", "mmap", "mprotect", "mremap", "munmap", "prctl", "restart_syscall", "rseq", "rt_sigprocmask",
        "set_robust_list", "sched_yield", "uname",
    ]

    /// - Parameter trace: the output of `strace -y` for the thread that saves.
    init(_ trace: String) {
        var all: [RecordedCall] = []
        for line in trace.split(separator: "\n") {
            if let call = RecordedCall(line, after: all) { all.append(call) }
        }
        calls = all.filter { !Self.irrelevant.contains($0.name) }
    }
}
