// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Runs the sessions in README.md and `make demo`, and compares the output.
@Suite(
    "Examples in the documents",
    .enabled(if: Requirement.allMet([.root, .avahi]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(2))
)
struct DocumentationTests {
    @Test("the session in README.md works as shown")
    func readme() async throws {
        let readme = TextFile.text(of: Sources.root + "/README.md")
        let session = try #require(ConsoleSession(in: readme, under: "## A session"))
        try await LAN.with(.hosts(2)) { lan in
            let deployment = Deployment(on: lan)
            try await deployment.startDaemon()
            try await deployment.startServer(["--lan", "--name", "sample server"], port: 7_099)
            try await eventually { try await deployment.success("list").contains("sample server") }

            // One shell, because a step may use a variable of an earlier one. An additional line ends each output.
            let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
            let script =
                "exec 2>&1; PATH=/\(programs):$PATH\n"
                + session.steps.map { "\($0.command)\necho '-- end --'\n" }.joined()
            let run = try await Command(["bash"], environment: deployment.environment).run(input: script)
            let outputs = run.standardOutput.split(separator: "-- end --\n", omittingEmptySubsequences: false)
            try #require(outputs.count == session.steps.count + 1)
            for (step, output) in zip(session.steps, outputs) {
                let lines = output.split(separator: "\n")
                #expect(lines.count == step.output.count, "\(step.command): \(output)")
                for (line, pattern) in zip(lines, step.output) {
                    #expect(ConsoleSession.matches(line, pattern), "'\(line)' is not '\(pattern)'")
                }
            }
        }
    }

    @Test(
        "the demo works as shown",
        .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the demo"), "scripts/python-env.sh")
    )
    func demo() async throws {
        let programs = Products.path(of: "relctl").dropLast("/relctl".count)
        let demo = try await Command(
            [Sources.root + "/scripts/demo.sh"],
            environment: ["PROGRAMS_DIR": String(programs)]
        ).run(deadline: .seconds(100))
        #expect(demo.status == 0, "\(demo)")
        #expect(demo.standardOutput.hasSuffix("Done.\n"))
    }
}
