// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Trust in authorities, and extra keys, on the command line", .timeLimit(.minutes(3)))
struct TrustTests {
    private static let names = "subjectAltName=DNS:localhost"

    @Test("a login to a host that an authority verifies survives only a change of the server's key")
    func authority() async throws {
        let deployment = Deployment()
        let (trusted, stranger) = (
            try await TestAuthority("trusted", in: deployment.home),
            try await TestAuthority("stranger", in: deployment.home)
        )
        let configuration = "[probe]\nmode = \"off\"\n[tls]\nca_file = \"\(trusted.file)\"\n"
        deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
        try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let first = try await trusted.issue("first", for: Self.names)
        var front = try await TLSFront(deployment, backend: server.port, showing: first)
        try await deployment.success("add", "office", "https://localhost:\(front.port)/bin")
        try await deployment.success("add", "plain", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        let key = try await deployment.fingerprint(of: "office")
        let shown = try #require(try await deployment.json("show", "office", "--trust", "ca").objectValue)
        let fingerprint = try shown.string("fingerprint")
        #expect(try shown.object("identity").string("authority") == "localhost" && fingerprint != key)
        #expect(try await deployment.relctl("endpoint", "pin", "plain", "--trust", "ca").status == 64)
        #expect(try await deployment.relctl("endpoint", "pin", "office", "--trust", "ca").status == 64)
        #expect(try await deployment.relctl("endpoint", "pin", "office", "--trust", "ca", "--pin", key).status == 5)

        let options = [
            "login", "add", "office", "--user", "simple", "--domain", "DASamples", "--schema", "Simple",
            "--password-stdin", "--name", "clerk", "--trust", "ca", "--pin", fingerprint, "--user-key", "User",
        ]
        let extras = ["--extra", "Level=canary=1", "--extra", "Site=Nord"]
        let faulty = try await deployment.relctl(options + ["--extra", "Schema=x"], input: "simple\n")
        #expect(faulty.status == 64, "\(faulty)")
        let added = try await deployment.relctl(options + extras, input: "simple\n")
        #expect(added.status == 0, "\(added)")
        try await deployment.success("login", "edit", "clerk", "--extra", "site=", "--extra", "Tier=2")
        let listed = try await deployment.relctl("login", "list", "--json")
        #expect(!listed.standardOutput.contains("canary"))
        let document = try #require(try JSONValue(parsing: listed.standardOutput).objectValue)
        let login = try #require(try document.objects("logins").first)
        #expect(try login.string("authority") == "localhost" && login.string("userKey") == "User")
        #expect(try login.strings("extraKeys") == ["Level", "Tier"])
        #expect(try await deployment.success("login", "list").contains("CA for localhost"))
        #expect(try await deployment.json("vault", "status").objectValue?.string("format") == "1.1")

        try await front.program.end()
        let second = try await trusted.issue("second", for: Self.names)
        front = try await TLSFront(deployment, backend: server.port, port: front.port, showing: second)
        try await deployment.success("login", "test", "clerk")

        try await front.program.end()
        let strange = try await stranger.issue("strange", for: Self.names)
        front = try await TLSFront(deployment, backend: server.port, port: front.port, showing: strange)
        let logins = deployment.requests(of: "LoginService.LoginEx")
        let refused = try await deployment.relctl("login", "test", "clerk")
        #expect(refused.status == 5 && refused.standardError.contains("no certificate authority"), "\(refused)")
        #expect(try await deployment.relctl("adapter", "open", "office").status == 5)
        #expect(deployment.requests(of: "LoginService.LoginEx") == logins, "no password went to the stranger")

        let repinned = try await deployment.relctl("endpoint", "repin", "office")
        #expect(repinned.status == 5 && repinned.standardError.contains("--trust key"), "\(repinned)")
        let shownKey = try #require(try await deployment.json("show", "office", "--trust", "key").objectValue)
        let new = try shownKey.string("fingerprint")
        try await deployment.success("endpoint", "repin", "office", "--trust", "key", "--pin", new)
        try await deployment.success("login", "test", "clerk")
    }
}
