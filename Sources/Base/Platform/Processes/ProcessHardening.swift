// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Protects the process's memory from other processes. Call first in `main`, before threads and descriptors exist.
package enum ProcessHardening {
    /// Disables core dumps, crash reports, new privileges, and ptrace and /proc/self/mem for other processes of this
    /// user. Sets umask 077. Exceeding the limit of the file size no longer ends the process.
    ///
    /// - Parameter keptDescriptors: the number of descriptors from 3 upwards that stay open: those that systemd passed.
    ///   All others are closed.
    package static func apply(keptDescriptors: Int) throws(PlatformError) {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else {
            throw .system(call: "setrlimit", subject: "RLIMIT_CORE", errno: errno)
        }
        try check(relx_forbid_dumping(), "PR_SET_DUMPABLE")
        try check(relx_forbid_new_privileges(), "PR_SET_NO_NEW_PRIVS")
        // On a crash, Swift's runtime prints the memory that registers point to, which may be a key.
        for fault in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(fault, SIG_DFL) }
        umask(0o077)
        // A write beyond RLIMIT_FSIZE must fail with an error instead of ending the process.
        signal(SIGXFSZ, SIG_IGN)
        closefrom(3 + Int32(clamping: keptDescriptors))
    }

    private static func check(_ result: Int32, _ subject: String) throws(PlatformError) {
        guard result == 0 else { throw .system(call: "prctl", subject: subject, errno: -result) }
    }
}

/// Standard input, output and error of a program that may have been started without them.
package enum StandardDescriptors {
    /// Opens /dev/null for each that is closed. Otherwise the next file or socket would get its number, and be
    /// written to. Writing to a standard output that was closed is an error, so that no result is lost unnoticed.
    ///
    /// Call first in `main`.
    package static func ensureOpen() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }
}

/// How the process's heap returns memory to the system. All threads allocate from one heap: by default each has its own,
/// which keeps memory that others could use.
package enum Heap {
    /// By default glibc raises the size from which it returns freed blocks to the largest one that was freed: memory that
    /// was used once, to send a long list, would stay resident.
    case small
    /// Uses blocks of up to 2 MiB again, and keeps at most 4 MiB of free memory at the end. Rows pass through such blocks:
    /// returned to the system, each would be cleared for the next use.
    case forRows

    /// Applies to blocks that are allocated from now on.
    ///
    /// Call before any thread is started.
    package func use() {
        switch self {
        case .small: relx_share_heap(128 << 10, 128 << 10)
        case .forRows: relx_share_heap(2 << 20, 4 << 20)
        }
    }
}

/// A dedicated thread for a library that blocks.
package enum BackgroundThread {
    /// Runs `body` on a new thread, which ends when `body` returns. All signals are blocked on it: the program's
    /// other threads handle them.
    ///
    /// - Returns: 0, or the errno of pthread_create(3).
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var everySignal = sigset_t()
        var before = sigset_t()
        sigfillset(&everySignal)
        // The new thread inherits the mask.
        pthread_sigmask(SIG_SETMASK, &everySignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var created = pthread_t()
        let retained = Unmanaged.passRetained(Body(run: body))
        let status = pthread_create(
            &created,
            nil,
            { userdata in
                if let userdata { Unmanaged<Body>.fromOpaque(userdata).takeRetainedValue().run() }
                return nil
            },
            retained.toOpaque()
        )
        guard status == 0 else {
            retained.release()
            return status
        }
        pthread_detach(created)
        return 0
    }

    /// The closure, boxed so that a pointer to it can pass through C.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
