// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite struct ProgramVersionTests {
    @Test(
        "every program prints its version, and does nothing else",
        arguments: [
            "relctl", "relativityd", "relativityd-data", "relativityd-secret-service", "relativity-sample-server",
        ]
    )
    func version(program: String) async throws {
        let output = try await Command([Products.path(of: program), "--version"]).run()
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
        #expect(output.standardOutput == "\(program) \(ProjectVersion.text)\n")
    }
}
