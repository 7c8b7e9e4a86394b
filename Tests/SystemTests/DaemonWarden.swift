// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Ends daemons that commands of a test have started and that are nobody's children: with this object, or with the test's
/// own process, however that ends.
final class DaemonWarden: Sendable {
    /// A FIFO that takes the process id of each, a line each.
    let register: String
    private let shell: ChildProcess

    /// Opened for reading and writing, the FIFO keeps its lines although nobody else holds it.
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
        // It holds the FIFO once it says so.
        _ = shell.readOutput()
    }
}
