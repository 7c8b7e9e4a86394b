// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the daemon on host 1 of a LAN holds of the machine.
struct DaemonUse {
    /// Bytes that it shares with nobody.
    let memory: Int
    let descriptors: Int

    init(on lan: LAN) async throws {
        let script = "pid=$(pgrep -x relativityd); cat /proc/$pid/smaps_rollup; ls /proc/$pid/fd | wc -l"
        let report = try await lan.command(on: 1, ["sh", "-c", script]).succeed()
        memory = try PrivateMemory.bytes(in: report)
        descriptors = try #require(report.split(separator: "\n").last.flatMap { Int($0) })
    }
}
