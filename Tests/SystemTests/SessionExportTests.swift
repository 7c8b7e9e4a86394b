// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Exported sessions", .timeLimit(.minutes(1)))
struct SessionExportTests {
    @Test("they need a setting and approval, are shown once as text, listed without ClientID, and end when closed")
    func export() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let open = ["adapter", "open", "sample", "--session"]
        let off = try await deployment.relctl(open + ["--yes-export"])
        #expect(off.status == 1 && off.standardError.contains("--session-export on"), "\(off)")
        try await deployment.success("endpoint", "set", "sample", "--session-export", "on")
        #expect(try await deployment.relctl(open).status == 64)
        #expect(try await deployment.relctl(open + ["--yes-export", "--json"]).status == 64)

        let given = try await deployment.relctl(open + ["--yes-export", "--ttl", "60"])
        #expect(given.status == 0, "\(given)")
        let match = try #require(given.standardOutput.firstMatch(of: /(?m)^client id: +([0-9a-f]{32})$/))
        #expect(given.standardOutput.contains("http://127.0.0.1:\(started.port)/bin"))
        let listed = try await deployment.success("adapter", "list", "--json")
        #expect(listed.contains(#""form":"session""#) && !listed.contains(match.1))
        #expect(deployment.requests(of: "LoginService.LoginEx") == 2)

        let document = try #require(try JSONValue(parsing: listed).objectValue)
        let adapter = try #require(try document.objects("adapters").first)
        let logouts = deployment.requests(of: "LoginService.Logout")
        try await deployment.success("adapter", "close", try adapter.string("id"))
        try await eventually { deployment.requests(of: "LoginService.Logout") == logouts + 1 }
        try await started.daemon.end()
        #expect(!TextFile.text(of: deployment.daemonLog).contains(match.1))
    }
}
