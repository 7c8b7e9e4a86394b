// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The command line of this process.
package enum ProgramArguments {
    /// Exits with status 71 (EX_OSERR of sysexits.h) if the arguments cannot be read. Swift reads them from
    /// /proc/self/cmdline, so that without /proc each program would run as if it had been called without arguments.
    package static func requireReadable() {
        guard CommandLine.argc == 0 else { return }
        let message = Array("error: /proc is not mounted, so the arguments of this program cannot be read\n".utf8)
        _ = message.withUnsafeBytes { OpenFile.writeAll($0, to: STDERR_FILENO) }
        exit(71)
    }
}
