// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import TestSupport

/// A program in the background that writes to a file. It ends with this object or with the test's process.
final class Supervised: Sendable {
    let log: String
    private let shell: ChildProcess
    private let status = Lock<Int32?>(nil)

    /// The shell forwards signals, and sends SIGTERM at the end of its input. That also wakes a stopped program.
    private static let script = """
        "$@" </dev/null >>"$0" 2>&1 & child=$!
        while read -r signal; do kill "-$signal" $child; done
        kill -TERM $child; kill -CONT $child; wait $child
        """

    /// - Parameters:
    ///   - host: the host of `lan` to run it on; nil for the network of the test, which must not reach other machines.
    init(
        _ arguments: [String],
        environment: [String: String],
        log: String,
        on host: (lan: LAN, number: Int)? = nil
    ) throws {
        self.log = log
        let command = ["sh", "-c", Self.script, log] + arguments
        if let host {
            let remote = host.lan.command(on: host.number, command)
            shell = try ChildProcess(
                remote.arguments,
                environment: remote.environment.merging(environment) { _, new in new }
            )
        } else {
            try Network.requireLoopbackOnly()
            shell = try ChildProcess(command, environment: environment)
        }
    }

    /// - Parameter name: the name of kill(1), for example `STOP`.
    func send(_ name: String) { shell.write(name + "\n") }

    /// Ends the program with SIGTERM.
    ///
    /// - Returns: its exit status.
    @discardableResult
    func end() async throws -> Int32 {
        try await BlockingWork.run { [self] in waitForEnd() }
    }

    /// Like `end`, but blocks.
    @discardableResult
    func waitForEnd() -> Int32 {
        status.withLock { status in
            if let status { return status }
            shell.closeInput()
            let ended = shell.wait()
            status = ended
            return ended
        }
    }

    var output: String { TextFile.text(of: log) }
}
