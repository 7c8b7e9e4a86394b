// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A running vault-probe that receives one command after the other. It exits with this object.
final class ProbeSession {
    enum Reply: Equatable {
        case ok(String)
        /// The program's text about the failure.
        case error(String)
        /// The program exited without a reply, or hung.
        case none
    }

    let child: ChildProcess
    private var lines: AsyncStream<String>.Iterator

    init(_ command: [String], environment: [String: String] = [:]) throws {
        child = try ChildProcess(command, environment: environment)
        lines = child.outputLines(silence: .seconds(60)).makeAsyncIterator()
    }

    /// Sends a command, and waits for the line that the program prints.
    func send(_ command: String) async -> Reply {
        child.write(command + "\n")
        guard let line = await lines.next(isolation: #isolation) else { return .none }
        if line.hasPrefix("ok ") { return .ok(String(line.dropFirst(3))) }
        return .error(line.hasPrefix("error ") ? String(line.dropFirst(6)) : line)
    }

    /// Waits until the program exits on its own.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    @discardableResult
    func end() -> Int32 {
        child.closeInput()
        return child.wait()
    }
}
