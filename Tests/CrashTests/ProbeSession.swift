// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A running vault-probe that is told one command after the other. It ends with this object.
final class ProbeSession {
    enum Reply: Equatable {
        case ok(String)
        /// What the program said of the failure.
        case error(String)
        /// It ended without a reply, or hung.
        case none
    }

    let child: ChildProcess
    private var lines: AsyncStream<String>.Iterator

    init(_ command: [String], environment: [String: String] = [:]) throws {
        child = try ChildProcess(command, environment: environment)
        lines = child.outputLines(silence: .seconds(60)).makeAsyncIterator()
    }

    /// Tells it a command, and waits for the line it prints.
    func send(_ command: String) async -> Reply {
        child.write(command + "\n")
        return await next()
    }

    func next() async -> Reply {
        guard let line = await lines.next(isolation: #isolation) else { return .none }
        if line.hasPrefix("ok ") { return .ok(String(line.dropFirst(3))) }
        return .error(line.hasPrefix("error ") ? String(line.dropFirst(6)) : line)
    }

    /// Lets it end by itself.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    @discardableResult
    func end() -> Int32 {
        child.closeInput()
        return child.wait()
    }
}
