// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("The vault on the command line", .timeLimit(.minutes(2)))
struct VaultTests {
    @Test("an empty, oversized or NUL passphrase is refused, and none is read from a variable or without a terminal")
    func secretInput() async throws {
        let deployment = try await Deployment.running()
        for input in ["", "\n", "with\0zero\n", String(repeating: "x", count: 5_000) + "\n"] {
            let refused = try await initialise(deployment, input)
            #expect(refused.status == 64 || refused.status == 1, "\(refused)")
            #expect(refused.standardError.hasPrefix("relctl: error: "))
            #expect(!refused.standardError.contains("zero\n") && !refused.standardError.contains("xxx"))
        }
        let fromVariable = try await deployment.relctl(
            ["vault", "init", "--passphrase-stdin"],
            input: "good enough\n",
            environment: ["RELATIVITYD_PASSWORD": "canary"]
        )
        #expect(fromVariable.status == 64)
        #expect(fromVariable.standardError.contains("RELATIVITYD_PASSWORD is set"))
        #expect(!fromVariable.standardError.contains("canary"))
        #expect(try await deployment.relctl("vault", "init").status == 64)
        #expect(try await deployment.success("vault", "status").contains("absent"))
    }

    private func initialise(_ deployment: Deployment, _ input: String) async throws -> Command.Output {
        try await deployment.relctl("vault", "init", "--passphrase-stdin", input: input)
    }
}
