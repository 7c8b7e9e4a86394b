// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The calling process, as reported by the kernel. This is a claim for the log, never a proof of identity: the
/// process ID may have been reused, and the socket may have been passed on.
package struct AuditPeer: Sendable, Hashable {
    private static let maximumCgroupColumns = 200
    private static let maximumCgroupBytes = 4 << 10

    /// The process ID.
    package let pid: Int32
    /// The control group, as printable text; nil if the process has exited.
    package let cgroup: String?

    /// The process on whose behalf the current task runs. It is set once for each call of the local API.
    @TaskLocal package static var caller: Int32?

    /// The calling process. Its control group is looked up now.
    package static var current: AuditPeer? { caller.map { AuditPeer(pid: $0) } }

    /// Looks up the control group of a process.
    ///
    /// - Parameter pid: the process ID that the kernel reported when the peer connected.
    package init(pid: Int32) {
        self.pid = pid
        let text = TextFile.read("/proc/\(pid)/cgroup", maximumBytes: Self.maximumCgroupBytes)
        // The last field of the first line of cgroup v2: "0::/user.slice/…".
        let path = text?.split(separator: "\n").first.flatMap { $0.split(separator: ":", maxSplits: 2).last }
        cgroup = path.map { Printable(String($0), columns: Self.maximumCgroupColumns).description }
    }
}
