// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// The package in `python/`, from its wheel, in a sandbox: as the tests of a tool of a user.
@Suite(
    "The Python package",
    .enabled(if: Requirement.allMet([.program(Sources.python)], for: "python"), "scripts/python-env.sh"),
    .timeLimit(.minutes(4))
)
struct PythonPackageTests {
    private let wheels = TemporaryDirectory()

    // About 75 tests in one process, a watch of two seconds among them, so that pandas is loaded once.
    @Test("its tests pass with the wheel in a sandbox, none is skipped, the user's home stays, and the notebook runs")
    func package() async throws {
        let outer = try await OuterHome()
        try await Command([Sources.root + "/scripts/python-wheel.sh", wheels.path]).succeed()
        let tests = Sources.root + "/python/tests"
        let script = """
            $RELCTL add attic 10.0.0.9 >&2 && $RELCTL endpoint hide attic >&2 || exit
            $PYTHON -m pytest --quiet -p no:cacheprovider -W error::ResourceWarning \(tests) || exit
            echo notebook
            $PYTHON \(Sources.root)/docs/examples/python/report.py sample
            """
        let environment = outer.environment.merging([
            "RELCTL": Products.path(of: "relctl"), "PYTHON": Sources.python, "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": wheels.path(of: "relativity-\(ProjectVersion.text)-py3-none-any.whl"),
        ]) { $1 }
        let run = try await outer.unchanged {
            try await Command(
                [
                    Products.path(of: "relctl"), "sandbox", "--user", "Data", "--schema", "PCTrade", "--", "sh", "-c",
                    script,
                ],
                environment: environment
            ).run(deadline: .seconds(150))
        }
        try await outer.end()
        var written = 0
        for name in ["aio", "client", "server", "upsert", "values"] {
            written += TextFile.text(of: "\(tests)/test_\(name).py").matches(of: /(?m)^    (?:async )?def test_/).count
        }
        #expect(written > 50)
        let parts = run.standardOutput.split(separator: "\nnotebook\n")
        try #require(run.status == 0 && parts.count == 2, "\(run)")
        let result = try #require(parts[0].split(separator: "\n").last)
        #expect(result.hasPrefix("\(written) passed"), "\(result)")
        #expect(!result.contains("skipped"), "\(result)")

        let lines = parts[1].split(separator: "\n")
        #expect(lines.first == "'sample' reachable" && lines.last == "True", "\(lines)")
        #expect(lines.contains { $0.hasPrefix("Shipped") && $0.contains(/[0-9]+\.[0-9]{4}$/) }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("accepted {'Id': 1} {'Status': ") }, "\(lines)")
    }
}
