// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Calls from the command line", .timeLimit(.minutes(2)))
struct CallCommandTests {
    @Test("the results of a call are printed, and exceptions with the server's own words")
    func results() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let xml = try await deployment.success(
            "call",
            "sample",
            "DataService.GetTableSchema",
            "aTableNameArray=Deps"
        )
        #expect(xml.hasPrefix("<?xml") && xml.contains("<Name>DepName</Name>"), "\(xml)")
        let results = try await deployment.json(
            "call",
            "sample",
            "dataservice.gettableschema",
            "atablenamearray=[\"Deps\"]"
        )
        #expect(try results.objectValue?.object("results").string("Result") == String(xml.dropLast()))

        let unknown = try await deployment.relctl(
            "call",
            "sample",
            "DataService.GetTableSchema",
            "aTableNameArray=Nope"
        )
        #expect(unknown.status == 14 && unknown.standardError.contains("the table 'Nope' does not exist"), "\(unknown)")
        let missing = try await deployment.relctl("call", "sample", "DataService.GetTableSchema")
        #expect(missing.status == 64 && missing.standardError.contains("aTableNameArray"), "\(missing)")
        let untyped = try await deployment.relctl("call", "sample", "Other.Method", "a=1")
        #expect(untyped.status == 64 && untyped.standardError.contains("NAME:TYPE=VALUE"), "\(untyped)")
        let typed = try await deployment.relctl("call", "sample", "Other.Method", "a:integer=1")
        #expect(typed.status == 14, "\(typed)")
        let wrong = try await deployment.relctl("call", "sample", "Other.Method", "a:integer=x")
        #expect(wrong.status == 64, "\(wrong)")
        try await eventually { try await deployment.json("adapter", "list") == [] }
        try await started.daemon.end()
    }

    @Test("the types of an unknown method come from the server's own description, and the services are shown")
    func services() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin("--rodl", "json")
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
        try await started.daemon.end()
        try await started.server.end()
    }

    @Test("the types of a call come from a RODL file")
    func rodl() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let text = """
            <Library Name="L"><Services><Service Name="Shop"><Interfaces><Interface Name="Default"><Operations>
            <Operation Name="GetTableSchema"><Parameters>
            <Parameter Name="names" DataType="Names" Flag="In"/>
            <Parameter Name="Result" DataType="Utf8String" Flag="Result"/>
            </Parameters></Operation>
            </Operations></Interface></Interfaces></Service></Services>
            <Arrays><Array Name="Names"><ElementType DataType="Utf8String"/></Array></Arrays></Library>
            """
        deployment.home.write(Array(text.utf8), to: "shop.rodl")
        let rodl = ["--rodl", deployment.home.path(of: "shop.rodl")]
        let call = ["call", "sample", "DataService.GetTableSchema"]
        let found = try await deployment.relctl(call + ["names=Deps"] + rodl)
        #expect(found.status == 0 && found.standardOutput.contains("<Name>DepName</Name>"), "\(found)")
        let wrong = try await deployment.relctl(call + ["aTableNameArray=Deps"] + rodl)
        #expect(wrong.status == 64 && wrong.standardError.contains("the parameters names"), "\(wrong)")
        let unknown = try await deployment.relctl(["call", "sample", "DataService.GetSchema", "aFilter="] + rodl)
        #expect(unknown.status == 64 && unknown.standardError.contains("--rodl: no method GetSchema"), "\(unknown)")
        deployment.home.write(Array("<Library>\n<Service/>".utf8), to: "shop.rodl")
        let damaged = try await deployment.relctl(call + ["names=Deps"] + rodl)
        #expect(damaged.status == 64 && damaged.standardError.contains("--rodl: line 2: "), "\(damaged)")
        try await started.daemon.end()
    }

    @Test("a file appears only when the output is complete")
    func file() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let file = deployment.home.path(of: "rows")
        let failed = try await deployment.relctl("table", "get", "sample", "Nope", "--to", file)
        #expect(failed.status != 0)
        let left = try await Command(["ls", deployment.home.path]).succeed()
        #expect(!left.contains("rows"), "\(left)")
        try await started.daemon.end()
    }

    @Test("a lock of the vault and a server without the adapter are told apart")
    func locked() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        try await deployment.success("vault", "lock")
        let locked = try await deployment.relctl("call", "sample", "DataService.GetSchema", "aFilter=")
        #expect(locked.status == 3, "\(locked)")
        #expect(try await deployment.relctl("call", "nowhere", "DataService.GetSchema", "aFilter=").status == 11)
        try await started.daemon.end()
    }
}
