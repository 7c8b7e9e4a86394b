// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The process that asked, as far as the kernel can tell: a claim for the log, never a proof of identity. The number may
/// be in use again, and the socket may have been handed on.
package struct AuditPeer: Sendable, Hashable {
    private static let maximumCgroupColumns = 200
    private static let maximumCgroupBytes = 4 << 10

    package let pid: Int32
    /// Made printable; nil when the process has gone.
    package let cgroup: String?

    /// The process that causes what this task does; set once for each call of the local API.
    @TaskLocal package static var caller: Int32?

    /// The caller, looked up now.
    package static var current: AuditPeer? { caller.map { AuditPeer(pid: $0) } }

    /// - Parameter pid: as the kernel told when the peer connected.
    package init(pid: Int32) {
        self.pid = pid
        let text = TextFile.read("/proc/\(pid)/cgroup", maximumBytes: Self.maximumCgroupBytes)
        // The last field of the first line of cgroup v2: "0::/user.slice/…".
        let path = text?.split(separator: "\n").first.flatMap { $0.split(separator: ":", maxSplits: 2).last }
        cgroup = path.map { Printable(String($0), columns: Self.maximumCgroupColumns).description }
    }
}
