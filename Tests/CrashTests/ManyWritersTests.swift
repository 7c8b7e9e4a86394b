// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Credentials

@Suite("Many writers of one vault", .timeLimit(.minutes(60)))
struct ManyWritersTests {
    private static let processes = 50
    /// The number of logins that each process keeps, so that all of them fit into the vault.
    private static let kept = 8

    /// Adds logins, and after `kept` alternates between removing the oldest and adding one.
    private static func edits(of process: Int, count: Int) -> (commands: [String], logins: [String]) {
        var commands: [String] = []
        var logins: [String] = []
        for edit in 0..<count {
            if logins.count == kept {
                commands.append("remove \(logins.removeFirst())")
            } else {
                logins.append("p\(process)-\(edit)")
                commands.append("add \(logins[logins.count - 1])")
            }
        }
        return (commands, logins)
    }

    @Test("fifty simultaneous processes lose no edit, and a reader never sees a damaged file")
    func fiftyProcesses() async throws {
        let fixture = ProbeFixture()
        _ = try await fixture.created(logins: [])
        let editCount = Soak.count(20, soak: 200)
        var expected: Set<String> = []
        for process in 0..<Self.processes {
            let edits = Self.edits(of: process, count: editCount)
            expected.formUnion(edits.logins)
            let script = (["open"] + edits.commands).joined(separator: "\n") + "\n"
            fixture.temporary.write(Array(script.utf8), to: "in.\(process)")
        }
        let shell = """
            for i in $(seq 0 \(Self.processes - 1)); do "$@" <"$0/in.$i" >"$0/out.$i" & done; wait
            """
        let command = Command(["sh", "-c", shell, fixture.temporary.path] + fixture.command)
        let start = ContinuousClock.now
        async let writers = command.run(deadline: .seconds(Soak.count(120, soak: 3_000)))
        let reader = Reader(fixture: fixture)
        async let readings = BlockingWork.run { try reader.run() }
        // Also if the writers do not end in time.
        defer { reader.stop() }
        let result = try await writers
        reader.stop()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(result.status == 0, "\(result)")

        var longest = 0
        for process in 0..<Self.processes {
            let output = TextFile.text(of: fixture.temporary.path(of: "out.\(process)"))
            let lines = output.split(separator: "\n")
            let generations = lines.compactMap { $0.hasPrefix("ok ") ? Int($0.dropFirst(3)) : nil }
            #expect(lines.count == editCount + 1 && generations.count == lines.count, "\(output)")
            for (one, next) in zip(generations.dropFirst(), generations.dropFirst(2)) {
                longest = max(longest, next - one)
            }
        }
        // Each other process once, and again those that joined meanwhile: no process is skipped.
        #expect(longest <= 2 * Self.processes)
        let edits = Self.processes * editCount
        #expect(try await fixture.open() == .init(generation: UInt64(1 + edits), logins: expected))
        #expect(fixture.temporaryNames.isEmpty)
        let count = try await readings
        #expect(count > 10)
        print(
            "\(Self.processes) processes, \(edits) edits in \(seconds) s, \(count) readings meanwhile, none lost or broken,"
                + " at most \(longest - 1) of others between two of one"
        )
    }
}
