// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What a daemon holds of the machine.
struct DaemonUse {
    /// Bytes that it shares with nobody.
    let memory: Int
    let descriptors: Int

    /// Of the daemon on host 1.
    init(on lan: LAN) async throws {
        try self.init(await lan.command(on: 1, Self.look(at: "$(pgrep -x relativityd)")).succeed())
    }

    /// Of one on this machine. Needs root: nobody else may look into it.
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
