// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite struct ProgramVersionTests {
    private static let programs = [
        "relctl", "relativityd", "relativityd-data", "relativityd-secret-service", "relativity-sample-server",
    ]

    @Test(
        "without /proc, every program exits with an error, because it cannot read its arguments",
        .enabled(if: Requirement.allMet([.root]), "needs root"),
        arguments: programs
    )
    func noProc(program: String) async throws {
        let script = "umount -l /proc && exec '\(Products.path(of: program))' list"
        let output = try await Command(["unshare", "--mount", "sh", "-c", script]).run()
        #expect(output.status == 71 && output.standardOutput.isEmpty, "\(output)")
        #expect(output.standardError.contains("/proc is not mounted"))
    }

    @Test(
        "every program prints its version, and does nothing else",
        arguments: programs
    )
    func version(program: String) async throws {
        let output = try await Command([Products.path(of: program), "--version"]).run()
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
        #expect(output.standardOutput == "\(program) \(ProjectVersion.text)\n")
    }
}
