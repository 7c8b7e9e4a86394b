// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The process that started this one with `ProgramStart.endsWithParent`.
package enum ParentProcess {
    /// The variable with its process ID.
    private static let variable = "RELATIVITYD_PARENT"

    /// The entry of the environment for programs that this process starts.
    static var entry: String { "\(variable)=\(getpid())" }

    /// Has the kernel send SIGTERM to this process when its parent ends. Without such a parent this has no effect.
    ///
    /// Call it in `main` before any thread exists.
    package static func follow() {
        guard let text = getenv(variable), let parent = pid_t(String(cString: text)) else { return }
        // Programs that this process starts have another parent.
        unsetenv(variable)
        guard relx_end_with_parent() == 0 else { return }
        // It may have ended before.
        if getppid() != parent { raise(SIGTERM) }
    }
}
