// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The resources that a daemon uses.
struct DaemonUse {
    /// The bytes that it shares with no other process.
    let memory: Int
    let descriptors: Int

    /// Measures the daemon on host 1.
    init(on lan: LAN) async throws {
        try self.init(await lan.command(on: 1, Self.look(at: "$(pgrep -x relativityd)")).succeed())
    }

    /// Measures a daemon on this machine. Only root may inspect it.
    init(pid: Int64) async throws {
        try self.init(await Command(Self.look(at: "\(pid)")).succeed())
    }

    private init(_ report: String) throws {
        memory = try PrivateMemory.bytes(in: report)
        descriptors = try #require(report.split(separator: "\n").last.flatMap { Int($0) })
    }

    private static func look(at pid: String) -> [String] {
        ["sh", "-c", "pid=\(pid); cat /proc/$pid/smaps_rollup; ls /proc/$pid/fd | wc -l"]
    }
}
