// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Makes the process hard to look into. Called first in `main`, before threads and descriptors exist.
package enum ProcessHardening {
    /// No core dumps, no crash reports, no ptrace or /proc/self/mem for others of our uid, no new privileges, umask 077,
    /// and no death by a full quota of file size.
    ///
    /// - Parameter keptDescriptors: how many from 3 upwards stay open: those that systemd passed. The rest is closed.
    package static func apply(keptDescriptors: Int) throws(PlatformError) {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else {
            throw .system(call: "setrlimit", subject: "RLIMIT_CORE", errno: errno)
        }
        try check(relx_forbid_dumping(), "PR_SET_DUMPABLE")
        try check(relx_forbid_new_privileges(), "PR_SET_NO_NEW_PRIVS")
        // Swift's runtime reports a crash with the memory that registers point to, which may be a key.
        for fault in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(fault, SIG_DFL) }
        umask(0o077)
        // A write beyond RLIMIT_FSIZE is an error to report, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        closefrom(3 + Int32(clamping: keptDescriptors))
    }

    private static func check(_ result: Int32, _ subject: String) throws(PlatformError) {
        guard result == 0 else { throw .system(call: "prctl", subject: subject, errno: -result) }
    }
}
