// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Ends daemons that commands of a test have started and that have no parent: when this object is released, or when the
/// test's process ends in any way.
final class DaemonWarden: Sendable {
    /// A FIFO that receives the process ID of each daemon in a line.
    let register: String
    private let shell: ChildProcess

    /// Opened for reading and writing, the FIFO keeps its lines although no other process has it open.
    private static let script = """
        trap '' INT; exec 3<>"$1"; echo; cat >/dev/null
        while read -r -t 0.2 pid <&3; do
            [[ $(cat "/proc/$pid/comm") != relativityd ]] || kill -KILL "$pid"
        done 2>/dev/null
        """

    /// - Parameter register: the path of a FIFO to make.
    init(_ register: String) throws {
        self.register = register
        mkfifo(register, 0o600)
        shell = try ChildProcess(["bash", "-c", Self.script, "warden", register])
        // Its output shows that it has opened the FIFO.
        _ = shell.readOutput()
    }
}
