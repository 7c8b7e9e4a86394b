// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Attaches strace only to the thread of a running vault-probe that saves.
struct Tracer {
    struct CannotTrace: Error {
        let reason: String
    }

    let fixture: ProbeFixture

    private static let savingThread = "TP-#0"
    private var trace: String { fixture.temporary.path(of: "trace") }

    /// Runs commands and records the system calls of the last one.
    func record(_ commands: [String]) async throws -> Recording {
        let traced = try await start(commands.dropLast(), ["-y", "-o", trace])
        guard case .ok = await traced.probe.send(commands.last ?? "") else { throw ProbeFixture.Unexpected() }
        traced.end()
        return Recording(TextFile.text(of: trace))
    }

    /// Starts a probe that has run `commands`. A system call of its next command is tampered with.
    ///
    /// - Parameter what: in the notation of strace, for example `error=EIO` or `signal=KILL`.
    func start(_ commands: [String], injecting what: String, at call: RecordedCall) async throws -> TracedProbe {
        let options = ["--trace=\(call.name)", "--inject=\(call.name):\(what):when=\(call.ordinal)", "-o", "/dev/null"]
        return try await start(commands, options)
    }

    private func start(_ commands: some Sequence<String>, _ options: [String]) async throws -> TracedProbe {
        let probe = try ProbeSession(fixture.command)
        // After the first reply all threads exist.
        for command in ["wait"] + commands { _ = await probe.send(command) }
        let thread = try thread(of: probe.child.pid)
        // Its messages go to standard output. A closed standard error would look like its end.
        let shell = ["sh", "-c", "exec strace \"$@\" 3>&2 2>&1", "sh", "-p", "\(thread)"]
        let strace = try ChildProcess(shell + options)
        var lines = strace.outputLines(silence: .seconds(20)).makeAsyncIterator()
        let line = await lines.next() ?? "nothing"
        guard line.hasSuffix("attached") else { throw CannotTrace(reason: line) }
        return TracedProbe(probe: probe, strace: strace)
    }

    private func thread(of process: Int32) throws -> Int32 {
        let tasks = "/proc/\(process)/task"
        for name in DirectoryListing.names(in: tasks) {
            if TextFile.text(of: "\(tasks)/\(name)/comm") == Self.savingThread + "\n", let thread = Int32(name) {
                return thread
            }
        }
        throw CannotTrace(reason: "no thread named \(Self.savingThread)")
    }
}

/// A probe and its strace.
struct TracedProbe {
    let probe: ProbeSession
    fileprivate let strace: ChildProcess

    fileprivate init(probe: ProbeSession, strace: ChildProcess) {
        self.probe = probe
        self.strace = strace
    }

    /// Ends both.
    ///
    /// - Returns: the result of the probe.
    @discardableResult
    func end() -> Int32 {
        let status = probe.end()
        _ = strace.wait()
        return status
    }
}
