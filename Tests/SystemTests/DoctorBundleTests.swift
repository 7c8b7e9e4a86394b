// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Report of relctl doctor for others", .timeLimit(.minutes(2)))
struct DoctorBundleTests {
    @Test("the report has no secret and no name in any form, is closed to others, and replaces nothing")
    func canaries() async throws {
        let canaries = [
            "endpoint", "host", "user", "domain", "schema", "login", "password", "extra", "label", "recovery file",
        ].map { Canary($0) }
        func text(_ name: String) throws -> String { try #require(canaries.first { $0.name == name }).text }
        let deployment = Deployment()
        try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let codeFile = deployment.home.path(of: try text("recovery file"))
        try await deployment.success([
            "vault", "init", "--provider", "key-file", "--insecure-keyfile", "--label", try text("label"),
            "--recovery-code-file", codeFile,
        ])
        try await deployment.success("add", try text("endpoint"), "127.0.0.1:\(server.port)")
        try await deployment.success("add", "x\(try text("host"))", "https://\(try text("host")).example:1/bin")
        let added = try await deployment.relctl(
            [
                "login", "add", try text("endpoint"), "--name", try text("login"), "--user", try text("user"),
                "--domain", try text("domain"), "--schema", try text("schema"), "--extra", "Level=\(try text("extra"))",
                "--password-stdin", "--no-test", "--allow-plaintext", "--pin",
                try await deployment.fingerprint(of: try text("endpoint")),
            ],
            input: try text("password") + "\n"
        )
        #expect(added.status == 0, "\(added)")
        try await deployment.success("default", "set", try text("login"))
        try await deployment.success("hide", try text("endpoint"))
        try await deployment.success("hide", "x\(try text("host"))")

        let secrets =
            canaries + [
                Canary("recovery code", bytes: deployment.home.content(of: try text("recovery file")).dropLast())
            ]
        for (index, arguments) in [[], [try text("endpoint")], ["--try", "--login", try text("login")]].enumerated() {
            let file = deployment.home.path(of: "report.\(index)")
            let output = try await deployment.relctl(["doctor", "--bundle", file] + arguments)
            #expect(output.status == 0 || output.status == 1, "\(output)")
            let report = TextFile.bytes(of: file)
            for form in secrets.flatMap(\.forms) {
                #expect(!report.contains(bytes: form.bytes), "\(form.name) is in the report of \(arguments)")
            }
            let shown = String(decoding: report, as: UTF8.self)
            for own in [deployment.home.path, "127.0.0.1", "\(codeFile)"] { #expect(!shown.contains(own), "\(own)") }
            // The report contains the facts that its reader needs.
            for word in [
                "relctl: 0.", "kernel: ", "check: daemon", "vault: unlocked", "login-1", "name-1", "strength: loopback",
            ] {
                #expect(shown.contains(word), "\(word) is not in \(shown)")
            }
            var facts = stat()
            #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
            let again = try await deployment.relctl(["doctor", "--bundle", file] + arguments)
            #expect(again.status == 1 && TextFile.bytes(of: file) == report, "\(again)")
        }
    }
}
