// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// Calls of a server's services by the Data API, and the code that `relctl services` writes for them.
@Suite("Calls of services by the Data API", .timeLimit(.minutes(3)))
struct ServiceCallTests {
    private static let sample: JSONValue = ["endpoint": "sample"]
    private static let tools = Sources.root + "/.build/python-tools/bin/python3"
    /// Methods of the data service as those of an own service: with an array of structs, variants, and out parameters.
    private static let rodl = """
        <Library><Services><Service Name="DataService"><Interfaces><Interface Name="Default"><Operations>
        <Operation Name="ExecuteCommandEx"><Parameters>
        <Parameter Name="Result" Flag="Result" DataType="Integer"/>
        <Parameter Name="aCommandName" Flag="In" DataType="Utf8String"/>
        <Parameter Name="aInputParameters" Flag="In" DataType="DataParameterArray"/>
        <Parameter Name="aOutputParameters" Flag="Out" DataType="DataParameterArray"/>
        </Parameters></Operation>
        <Operation Name="GetTableSchema"><Parameters>
        <Parameter Name="Result" Flag="Result" DataType="Utf8String"/>
        <Parameter Name="aTableNameArray" Flag="In" DataType="StringArray"/>
        </Parameters></Operation>
        </Operations></Interface></Interfaces></Service></Services></Library>
        """

    private let deployment = Deployment()

    @Test("a method is called with its types, which the caller, Data Abstract or the server's description gives")
    func calls() async throws {
        try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()
        func call(_ method: String, _ parameters: JSONObject, _ more: JSONObject = [:]) throws -> JSONObject {
            let parts = method.split(separator: ".").map(String.init)
            var sent: JSONObject = [
                "server": Self.sample, "service": .string(parts[0]), "method": .string(parts[1]),
                "parameters": .object(parameters),
            ]
            for (name, value) in more { sent[name] = value }
            return try client.call("Call", sent)
        }
        let announced = try call("DASampleService.Announce", ["aText": "hello"])
        #expect(announced["parameters"] == ["results": [:]], "\(announced)")
        let schema = try call("DataService.GetTableSchema", ["aTableNameArray": ["Deps"]])
        let text = schema["parameters"]?.objectValue?["results"]?.objectValue?["Result"]?.stringValue
        #expect(text?.contains("DepName") == true, "\(schema)")
        let command = try call(
            "DataService.ExecuteCommandEx",
            [
                "aCommandName": "SetDepPhone",
                "aInputParameters": [["Name": "DepId", "Value": 4], ["Name": "Phone", "Value": "+1 555 0100"]],
            ],
            ["rodl": .string(Self.rodl)]
        )
        #expect(command["parameters"]?.objectValue?["results"]?.objectValue?["Result"] == 1, "\(command)")

        for (parameters, more, reason) in [
            (["aText": 1], [:], "the value of aText"), (["other": "x"], [:], "the parameters aText"),
            (["aText": "x"], ["rodl": "<Library/>"], "no method"), (["aText": "x"], ["rodl": "<"], "line 1"),
        ] as [(JSONObject, JSONObject, String)] {
            let failed = try call("DASampleService.Announce", parameters, more)
            #expect(failed["error"] == "org.relativityd.Data.BadCall", "\(failed)")
            #expect(failed["parameters"]?.objectValue?["message"]?.stringValue?.contains(reason) == true, "\(failed)")
        }
    }

    @Test("with HTTP the service and the method are in the path, and the OpenAPI document has these paths")
    func http() async throws {
        try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        func post(_ path: String) async throws -> String {
            try await Command(
                [
                    "curl", "--silent", "--unix-socket", helper.socket, "http://localhost\(path)", "--data",
                    #"{"server": {"endpoint": "sample"}, "parameters": {"aText": "hi"}}"#,
                ]
            ).succeed()
        }
        let document = try await deployment.success("services", "sample", "--openapi")
        let paths = try #require(try JSONValue(parsing: document).objectValue).object("paths").map(\.key)
        #expect(paths == ["/call/org.relativityd.Data.Call/DASampleService/Announce"])
        #expect(try await post(try #require(paths.first)) == "{\"results\":{}}\n")
        #expect(
            try await post(try #require(paths.first).replacing("Announce", with: "%41nnounce")) == "{\"results\":{}}\n"
        )
        for path in ["/Announce", "/DASampleService/Announce/x", "/DASampleService/%zz"] {
            #expect(try await post("/call/org.relativityd.Data.Call\(path)").contains("NotFound"))
        }
        #expect(try await post("/call/org.relativityd.Data.Call/DASampleService/%ff%22").contains("PathNotFound"))
    }

    @Test("the OpenAPI document is valid", .enabled(if: Requirement.allMet([.program(tools)]), "python-env.sh tools"))
    func openAPI() async throws {
        let file = deployment.home.path(of: "shop.rodl")
        deployment.home.write(Array(Self.rodl.utf8), to: "shop.rodl")
        let document = try await deployment.success("services", "--rodl", file, "--openapi")
        let check = "import json, sys; from openapi_spec_validator import validate; validate(json.load(sys.stdin))"
        try await Command([Self.tools, "-c", check]).succeed(input: document, deadline: .seconds(30))
    }

    @Test("the classes in Python call the server")
    func python() async throws {
        try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let file = deployment.home.path(of: "shop.rodl")
        deployment.home.write(Array(Self.rodl.utf8), to: "shop.rodl")
        try await deployment.success(
            "services",
            "sample",
            "--code",
            "python",
            "--to",
            deployment.home.path(of: "own.py")
        )
        try await deployment.success(
            "services",
            "--rodl",
            file,
            "--code",
            "python",
            "--to",
            deployment.home.path(of: "shop.py")
        )
        let program = """
            import own, relativity, shop
            with relativity.open("sample") as server:
                print(own.DASampleService(server).Announce("hello"))
                data = shop.DataService(server)
                values = [shop.DataParameter("DepId", 4), shop.DataParameter("Phone", "+1 555 0123")]
                done = data.ExecuteCommandEx("SetDepPhone", values)
                print(done.Result, done.aOutputParameters)
                print("DepName" in data.GetTableSchema(["Deps"]))
                (row,) = server.table("Deps", where="DepId == 4").rows()
                print(row["DepPhone"])
                try:
                    own.DASampleService(server).Announce(7)
                except relativity.errors.BadCall as error:
                    print(error)
            """
        var environment = deployment.environment
        environment["PYTHONPATH"] = "\(Sources.root)/python/src:\(deployment.home.path)"
        environment["RELATIVITYD_DATA_SOCKET"] = helper.socket
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        let output = try await Command(["/usr/bin/python3", "-c", program], environment: environment).succeed()
        #expect(
            output == "None\n1 []\nTrue\n+1 555 0123\nthe value of aText does not have its type\n",
            "\(output)"
        )
    }

    @Test("without a method of its own, a description makes no code")
    func nothing() async throws {
        let file = deployment.home.path(of: "empty.rodl")
        deployment.home.write(Array("<Library><Service Name='A'/></Library>".utf8), to: "empty.rodl")
        let shown = try await deployment.relctl("services", "--rodl", file)
        #expect(shown.status == 0 && shown.standardOutput == "A\n", "\(shown)")
        let code = try await deployment.relctl("services", "--rodl", file, "--code", "typescript")
        #expect(code.status == 11 && code.standardError.contains("no methods but those of Data Abstract"), "\(code)")
        for words in [
            ["services"], ["services", "a", "--rodl", file], ["services", "a", "--openapi", "--code", "python"],
        ] {
            #expect(try await deployment.relctl(words).status == 64)
        }
    }
}
