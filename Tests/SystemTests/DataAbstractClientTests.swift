// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A Data Abstract client that is independent of relativityd: Tests/Tools/data_abstract_client.py, written according to
/// docs/wire.md.
@Suite(
    "An independent client",
    .enabled(if: Requirement.allMet([.program("python3")]), "needs python3"),
    .timeLimit(.minutes(1))
)
struct DataAbstractClientTests {
    private static let client = Sources.root + "/Tests/Tools/data_abstract_client.py"

    /// - Parameter password: any password for an adapter, because the server does not get it.
    private func run(at url: String, password: String) async throws -> String {
        let command = Command(["python3", Self.client, url, "simple", "DASamples", "Simple", "Deps"])
        let result = try await command.run(input: password + "\n")
        #expect(result.status == 0, "\(result)")
        return result.standardOutput
    }

    @Test("through a loopback adapter it gets the same as from the server: login, schema, data, an exception, logout")
    func unchanged() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let direct = try await run(at: "http://127.0.0.1:\(started.port)/bin", password: "simple")
        #expect(
            direct.hasPrefix("LoginEx: True\nGetSchema: <?xml") && direct.hasSuffix("\nLogout: done\n"),
            "\(direct)"
        )
        #expect(direct.contains("\nGetData: ") && direct.contains("\nno such method: exception "))

        let (holder, adapter) = try await deployment.holdAdapter("sample", "--loopback")
        let logins = deployment.requests(of: "LoginService.LoginEx")
        for password in ["simple", "whatever"] {
            #expect(try await run(at: try adapter.string("url"), password: password) == direct)
        }
        #expect(deployment.requests(of: "LoginService.LoginEx") == logins)
        holder.signal(SIGTERM)
        _ = holder.wait()
    }
}
