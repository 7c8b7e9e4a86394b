// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// The package in `python/`, from its wheel, against a daemon and a sample server.
@Suite(
    "The Python package",
    .enabled(
        if: Requirement.allMet([.program("systemd-socket-activate"), .program(Sources.python)], for: "python"),
        "systemd-socket-activate and scripts/python-env.sh"
    ),
    .timeLimit(.minutes(3))
)
struct PythonPackageTests {
    // About 50 tests in one process, a watch of two seconds among them, so that pandas is loaded once.
    @Test("its tests pass with the wheel, none is skipped, and the notebook in the examples runs")
    func package() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        let server = try await deployment.startServer()
        try await deployment.success("add", "shop", "127.0.0.1:\(server.port)")
        try await deployment.success("add", "attic", "10.0.0.9")
        try await deployment.success("endpoint", "hide", "attic")
        try await deployment.initialiseVault()
        let login = [
            Products.path(of: "relctl"), "login", "add", "shop", "--user", "Data", "--domain", "DASamples",
            "--schema", "PCTrade", "--password-stdin", "--allow-plaintext", "--pin",
            try await deployment.fingerprint(of: "shop"),
        ]
        try await Command(login, environment: deployment.environment).succeed(input: "Relativity\n")
        let helper = try await DataHelper(deployment)

        let folder = deployment.home.path(of: "wheel")
        try await Command([Sources.root + "/scripts/python-wheel.sh", folder]).succeed()
        let wheel = "\(folder)/relativity-\(ProjectVersion.text)-py3-none-any.whl"
        let environment = deployment.environment.merging(
            ["PYTHONPATH": wheel, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "error::ResourceWarning"]
        ) { $1 }
        let tests = Sources.root + "/python/tests"
        let run = try await Command(
            [Sources.python, "-m", "unittest", "discover", "--start-directory", tests],
            environment: environment
        ).run(deadline: .seconds(120))
        var written = 0
        for name in ["client", "server", "values"] {
            written += TextFile.text(of: "\(tests)/test_\(name).py").matches(of: /(?m)^    def test_/).count
        }
        #expect(written > 40)
        #expect(run.status == 0 && run.standardError.contains("Ran \(written) tests in "), "\(run.standardError)")
        #expect(run.standardError.hasSuffix("\nOK\n"), "skipped: \(run.standardError)")

        let report = try await Command(
            [Sources.python, Sources.root + "/docs/examples/python/report.py", "shop"],
            environment: environment
        ).succeed()
        let lines = report.split(separator: "\n")
        #expect(lines.first == "'shop' reachable" && lines.last == "True", "\(report)")
        #expect(lines.contains { $0.hasPrefix("Shipped") && $0.contains(/[0-9]+\.[0-9]{4}$/) }, "\(report)")
        #expect(lines.contains { $0.hasPrefix("accepted {'Id': 1} {'Status': ") }, "\(report)")
        try await helper.program.end()
        try await daemon.end()
        try await server.program.end()
    }
}
