// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Programs of others, as docs/how-to/use-with.md describes them.
@Suite("Tables in programs of others", .timeLimit(.minutes(3)))
struct ToolTests {
    private static let python = Sources.root + "/.build/python-tools/bin/python3"

    private let deployment = Deployment()

    private func database() async throws -> (path: String, extension: String) {
        try await deployment.startWithLogin()
        deployment.own(try await DataHelper(deployment).program)
        let library = try await deployment.sqliteExtension()
        let path = deployment.home.path(of: "office.db")
        try await deployment.success("sqlite", "new", path, "sample")
        return (path, library)
    }

    @Test(
        "datasette and sqlite-utils open a database with tables of a server",
        .enabled(if: Requirement.allMet([.program(python)], for: "datasette"), "scripts/python-env.sh tools")
    )
    func datasette() async throws {
        let (path, library) = try await database()
        let page = try await Command(
            [
                Self.python, "-m", "datasette", path, "--load-extension", library, "--get",
                "/office/Deps.json?DepId=1&_shape=array",
            ],
            environment: deployment.environment
        ).succeed()
        #expect(page.contains("\"DepId\": 1,") && page.contains("\"DepName\": "), "\(page)")
        let rows = try await Command(
            [
                Self.python, "-m", "sqlite_utils", "query", path, "select count(*) as Number from Deps where DepId < 3",
                "--load-extension", library,
            ],
            environment: deployment.environment
        ).succeed()
        #expect(rows == "[{\"Number\": 2}]\n")
    }

    @Test(
        "ODBC reads tables of a server",
        .enabled(if: Requirement.allMet([.program("isql")], for: "ODBC"), "needs unixodbc and libsqliteodbc")
    )
    func odbc() async throws {
        let (path, library) = try await database()
        deployment.home.write(Array("[SQLite3]\nDriver = libsqlite3odbc.so\n".utf8), to: "odbcinst.ini")
        let source = "[office]\nDriver = SQLite3\nDatabase = \(path)\nLoadExt = \(library)\n"
        deployment.home.write(Array(source.utf8), to: "odbc.ini")
        var environment = deployment.environment
        environment["ODBCSYSINI"] = deployment.home.path(of: "")
        environment["ODBCINI"] = deployment.home.path(of: "odbc.ini")
        let output = try await Command(["isql", "-b", "-v", "office"], environment: environment)
            .run(input: "select DepId from Deps where DepId < 3\n")
        #expect(output.standardOutput.contains("2 rows fetched"), "\(output)")
    }

    @Test(
        "a client of the Model Context Protocol by others reads and stages, and finds no tool that writes",
        .enabled(if: Requirement.allMet([.program(python)], for: "an MCP client"), "scripts/python-env.sh tools")
    )
    func mcp() async throws {
        try await deployment.startWithLogin()
        let program = """
            import asyncio, os, sys
            from mcp import ClientSession, StdioServerParameters
            from mcp.client.stdio import stdio_client

            async def main():
                server = StdioServerParameters(command=sys.argv[1], args=["mcp", "--edits", "sample"], env=dict(os.environ))
                async with stdio_client(server) as streams, ClientSession(*streams) as session:
                    await session.initialize()
                    tools = (await session.list_tools()).tools
                    print([tool.name for tool in tools if not tool.annotations.read_only_hint])
                    rows = await session.call_tool("read_rows", {"table": "Deps", "where": "DepId = 1"})
                    print(len(rows.structured_content["rows"]))
                    refused = await session.call_tool("run_query", {"sql": "delete from Deps"})
                    print(refused.is_error, "only queries run here" in refused.structured_content["error"])
                    staged = await session.call_tool("stage_deletes", {"table": "Deps", "where": "DepId = 1"})
                    print(len(staged.structured_content["changes"]))

            asyncio.run(main())
            """
        let output = try await Command(
            [Self.python, "-c", program, Products.path(of: "relctl")],
            environment: deployment.environment
        ).succeed()
        #expect(output == "['stage_insert', 'stage_update', 'stage_deletes']\n1\nTrue True\n1\n")
        #expect(deployment.requests(of: "DataService.UpdateData") == 0)
    }
}
