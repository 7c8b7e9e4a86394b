// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Calls from the command line", .timeLimit(.minutes(2)))
struct CallCommandTests {
    private let deployment = Deployment()

    @Test("the types of an unknown method come from the server's own description, and the services are shown")
    func services() async throws {
        try await deployment.startWithLogin("--rodl", "json")
        // No login is needed for the description.
        try await deployment.success("vault", "lock")
        let shown = try await deployment.success("services", "sample")
        #expect(shown.contains("DASampleService (DataAbstractService)\n"), "\(shown)")
        let list = try await deployment.json("services", "sample")
        let services = try #require(list.arrayValue)
        let open = try #require(services.compactMap(\.objectValue).first { $0["name"] == "DASampleService" })
        let method = try #require(try open.array("methods").first?.objectValue)
        #expect(method["name"] == "Announce" && method["declaredBy"] == "DASampleService")
        #expect(method["parameters"] == [["name": "aText", "type": "Utf8String", "direction": "in"]])

        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        let call = try await deployment.relctl("call", "sample", "DASampleService.Announce", "aText=hello")
        #expect(call.status == 0, "\(call)")
        let other = try await deployment.relctl("call", "sample", "DASampleService.Announce", "other=hello")
        #expect(other.status == 64 && other.standardError.contains("the parameters aText"), "\(other)")
    }

    @Test("a lock of the vault and a server without the adapter are told apart")
    func locked() async throws {
        try await deployment.startWithLogin()
        try await deployment.success("vault", "lock")
        let locked = try await deployment.relctl("call", "sample", "DataService.GetSchema", "aFilter=")
        #expect(locked.status == 3, "\(locked)")
        #expect(try await deployment.relctl("call", "nowhere", "DataService.GetSchema", "aFilter=").status == 11)
    }
}
