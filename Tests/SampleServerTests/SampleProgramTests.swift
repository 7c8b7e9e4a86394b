// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The built program, run as a user runs it.
@Suite struct SampleProgramTests {
    private static let program = Products.path(of: "relativity-sample-server")

    private func start(_ arguments: [String], in folder: TemporaryDirectory) throws -> ChildProcess {
        try ChildProcess(
            [Self.program, "--port", "0"] + arguments,
            environment: ["XDG_DATA_HOME": folder.path]
        )
    }

    private func firstLines(_ count: Int, of child: ChildProcess) async -> [String] {
        var lines: [String] = []
        for await line in child.outputLines(silence: .seconds(20)) {
            lines.append(line)
            if lines.count == count { break }
        }
        return lines
    }

    @Test("it prints its addresses, listens on loopback only, and exits on a signal", arguments: [SIGTERM, SIGINT])
    func lifetime(signal: Int32) async throws {
        let folder = TemporaryDirectory()
        let child = try start([], in: folder)
        let lines = await firstLines(2, of: child)
        #expect(lines.first?.hasPrefix("listening on 127.0.0.1:") == true)
        #expect(lines.first?.hasSuffix(" /bin") == true)
        #expect(lines.last == "database \(folder.path)/relativity-sample-server/sample.sqlite")
        let start = ContinuousClock.now
        child.signal(signal)
        #expect(child.wait() == 0)
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test(
        "invalid arguments are usage errors",
        arguments: [
            ["--session-timeout", "0"], ["--listen", "host.example"], ["--name", ""], ["--port", "70000"],
            ["--compression", "10"], ["--rodl", "soap"], ["--schema", "x", "--custom"], ["--schema", "/nonexistent"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let output = try await Command([Self.program] + arguments).run()
        #expect(output.status == 64)
        #expect(output.standardOutput.isEmpty)
    }
}
