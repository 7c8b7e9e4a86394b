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
