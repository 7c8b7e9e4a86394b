// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Platform
import TestSupport
import Testing

@testable import relctl

@Suite("Messages of an MCP client")
struct MCPSessionTests {
    private static let start =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"a/../b c"}}}"#

    private static func session(edits: Bool = false) -> MCPSession {
        var session = MCPSession(servers: ["shop", "-x"], options: ["--login=l"], pendingDirectory: edits ? "/p" : nil)
        _ = session.take(start.utf8)
        return session
    }

    private static func call(_ tool: String, _ arguments: String, edits: Bool = true) -> MCPSession.Step {
        var session = session(edits: edits)
        let text =
            #"{"jsonrpc":"2.0","id":"q","method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
        return session.take(text.utf8)
    }

    private static func object(_ step: MCPSession.Step) throws -> JSONObject {
        guard case .reply(let line) = step else { throw NoReply() }
        return try #require(try JSONValue(parsing: line).objectValue)
    }

    private struct NoReply: Error {}

    @Test(
        "what is no request has the error of JSON-RPC and no effect",
        arguments: [
            ("", -32_700), ("{", -32_700), ("[]", -32_600),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32_600),
            (#"{"id":1,"method":"ping"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"apply"}}"#, -32_602),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tables","arguments":[]}}"#,
                -32_602
            ),
        ]
    )
    func errors(_ line: String, _ code: Int64) throws {
        var session = Self.session()
        let error = try #require(try Self.object(session.take(line.utf8))["error"]?.objectValue)
        #expect(error["code"] == .integer(code))
    }

    @Test("a notification has no answer, and a call before initialize is refused")
    func order() throws {
        var session = MCPSession(servers: ["shop"])
        #expect(session.take(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.utf8) == .none)
        let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tables"}}"#
        #expect(try Self.object(session.take(call.utf8))["error"] != nil)
        let reply = try Self.object(session.take(Self.start.utf8))
        #expect(reply["result"]?.objectValue?["protocolVersion"] == "2025-06-18")
        guard case .run = session.take(call.utf8) else {
            Issue.record("the call is run")
            return
        }
    }

    @Test("tools that stage changes exist only with --edits, and no tool applies them")
    func tools() throws {
        func names(edits: Bool) throws -> [String] {
            var session = Self.session(edits: edits)
            let reply = try Self.object(session.take(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.utf8))
            let tools = try #require(reply["result"]?.objectValue?["tools"]?.arrayValue)
            return tools.compactMap { $0.objectValue?["name"]?.stringValue }
        }
        let reading = ["list_tables", "describe_table", "read_rows", "count_rows", "run_query"]
        #expect(try names(edits: false) == reading)
        #expect(
            try names(edits: true) == reading + [
                "list_pending_changes", "stage_insert", "stage_update", "stage_deletes",
            ]
        )
    }

    @Test("an argument is a value of relctl's arguments, never an option or another argument")
    func words() {
        guard case .run(let call, _) = Self.call("read_rows", #"{"server":"-x","table":"--to=/f","sort":["-A"]}"#)
        else {
            Issue.record("the call is run")
            return
        }
        #expect(
            call.words
                == ["table", "get", "--json", "--limit=1000", "--sort=-A", "--login=l", "--", "-x", "--to=/f"]
        )
        let values = #"{"server":"shop","table":"T","where":"--x","values":{"A":null,"-B":"=x","C":1.5}}"#
        guard case .run(let edit, _) = Self.call("stage_update", values) else {
            Issue.record("the call is run")
            return
        }
        #expect(
            edit.words == [
                "table", "update", "--yes", "--where=--x", "--json", "--pending=/p/a%2F..%2Fb%20c@shop.pending",
                "--login=l",
                "--", "shop", "T", "A:=null", "-B==x", "C=1.5",
            ]
        )
    }

    @Test("in 1,000 random calls each text of the client is behind a '=' or '--', and the pending set is the client's")
    func hostileCalls() throws {
        var random = SeededRandom(seed: 75)
        let texts = [
            "--to=/f", "-x", "--pending=/other", "--login=root", "--yes", "--", "a b", "$(reboot)", "'; drop table T",
            "../..", "A=B", "\u{1B}[2J", "--grant=/g", "@file",
        ]
        func text() -> JSONValue { .string(texts[Int.random(in: 0..<texts.count, using: &random)]) }
        var runs = 0
        for _ in 0..<1_000 {
            let tool = MCPTool.allCases[Int.random(in: 0..<MCPTool.allCases.count, using: &random)]
            let schema = try #require(tool.listed(["shop"])["inputSchema"]?.objectValue?["properties"]?.objectValue)
            var arguments: JSONObject = ["server": ["shop", "-x"][Int.random(in: 0...1, using: &random)]]
            for name in ["table", "where", "sql"] where schema[name] != nil { arguments[name] = text() }
            for name in ["fields", "sort"] where schema[name] != nil { arguments[name] = [text()] }
            if schema["values"] != nil { arguments["values"] = ["F": text()] }
            guard case .run(let call, _) = Self.call(tool.rawValue, arguments.text) else { continue }
            runs += 1
            let end = try #require(call.words.firstIndex(of: "--"), "\(call.words)")
            let verb = call.words.prefix { !$0.hasPrefix("-") }
            #expect(verb.count <= 3 && verb.allSatisfy { !texts.contains($0) }, "\(call.words)")
            for word in call.words[verb.count..<end] {
                let name = word.prefix { $0 != "=" }
                #expect(
                    [
                        "--json", "--yes", "--limit", "--sort", "--select", "--where", "--local", "--pending",
                        "--login", "--count", "--timeout",
                    ].contains(name),
                    "\(call.words)"
                )
                let server = call.words[(end + 1)...].first ?? ""
                #expect(name != "--pending" || word == "--pending=/p/a%2F..%2Fb%20c@\(server).pending", "\(call.words)")
                #expect(name != "--login" || word == "--login=l", "\(call.words)")
            }
        }
        #expect(runs > 500)
    }

    @Test(
        "arguments that a tool does not take are refused",
        arguments: [
            ("read_rows", #"{"table":"T"}"#), ("read_rows", #"{"server":"other","table":"T"}"#),
            ("read_rows", #"{"server":"shop"}"#), ("read_rows", #"{"server":"shop","table":7}"#),
            ("read_rows", #"{"server":"shop","table":"T","limit":1001}"#),
            ("read_rows", #"{"server":"shop","table":"T","limit":-1}"#),
            ("read_rows", #"{"server":"shop","table":"T","fields":["A,B"]}"#),
            ("read_rows", #"{"server":"shop","table":"T","to":"/f"}"#),
            ("read_rows", #"{"server":"shop","table":"a\u0000b"}"#), ("run_query", #"{"server":"shop"}"#),
            ("stage_deletes", #"{"server":"shop","table":"T"}"#),
            ("stage_update", #"{"server":"shop","table":"T","values":{"A":1}}"#),
            ("stage_insert", #"{"server":"shop","table":"T","values":{}}"#),
            ("stage_insert", #"{"server":"shop","table":"T","values":{"A=B":1}}"#),
            ("stage_insert", #"{"server":"shop","table":"T","values":{"A":[1]}}"#),
        ]
    )
    func refused(_ tool: String, _ arguments: String) throws {
        let error = try #require(try Self.object(Self.call(tool, arguments))["error"]?.objectValue)
        #expect(error["code"] == -32_602)
    }

    @Test("a value of a field is what follows the first = or @, also before a combining mark")
    func fieldValues() throws {
        for text in ["\u{301}@/etc/hostname", "\u{200D}=x", "@/etc/hostname", ":=null"] {
            #expect(try FieldValueWord("Name=\(text)").value == JobValue("Name", text: text))
        }
        #expect(throws: PlatformError.self) { try FieldValueWord("Name@\u{301}=/none") }
        let call = #"{"server":"shop","table":"T","where":"a","values":{"A\u0600":"x","B=\u0301":"x"}}"#
        try refused("stage_update", call)
    }

    @Test("no condition and a null are the same")
    func noCondition() {
        guard case .run(let call, _) = Self.call("count_rows", #"{"server":"shop","table":"T","where":null}"#) else {
            Issue.record("the call is run")
            return
        }
        #expect(!call.words.contains { $0.hasPrefix("--where") })
    }

    @Test("a pending set has the name of the client and of the server, and is in its directory")
    func pendingFile() {
        var session = Self.session(edits: true)
        #expect(session.pendingFile(of: "admin@../shop") == "/p/a%2F..%2Fb%20c@admin%40..%2Fshop.pending")
        _ = session.take(
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"..\u0007ü"}}}"#.utf8
        )
        #expect(session.pendingFile(of: "shop") == "/p/%2E.@shop.pending")
    }

    @Test("the numbers of an answer keep their digits, and its line feeds become spaces")
    func answer() throws {
        let line = MCPSession.answer(7, output: Array("{\"rows\":[\n{\"a\":12345678901234567890.1234}\n]}\n".utf8))
        let text = String(decoding: line, as: UTF8.self)
        #expect(
            !text.contains("\n") && text.contains(#""structuredContent":{"rows":[ {"a":12345678901234567890.1234} ]}"#)
        )
        let failed = String(decoding: MCPSession.answer(7, output: Array("no JSON".utf8)), as: UTF8.self)
        #expect(failed.contains(#""isError":true"#))
    }

    @Test("a cancellation is for the request with its ID")
    func cancellation() {
        var session = Self.session()
        let line = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#
        #expect(session.take(line.utf8) == .cancel(3))
        #expect(session.take(#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.utf8) == .none)
    }

    @Test("a statement has bounds, whatever the user's options are")
    func bounds() throws {
        guard case .run(let call, _) = Self.call("run_query", #"{"server":"shop","sql":"select 1"}"#) else {
            Issue.record("the call is run")
            return
        }
        #expect(
            call.words
                == ["sql", "--json", "--local", "--login=l", "--limit=1000", "--timeout=30s", "--", "shop", "select 1"]
        )
        let description = MCPTool.runQuery.listed(["shop"])["description"]?.stringValue
        #expect(description?.contains("at most 1000 rows, and fails after 30 seconds") == true)
    }

    @Test(
        "an error for a model has no marks of a command line",
        arguments: [
            (
                "relctl: note: shop: the statement runs here: as --local says\nrelctl: error: no table 'X'\n"
                    + "relctl: hint: relctl table list\n", "no table 'X'"
            ),
            (
                "relctl: error: temporary files have more than 1 GiB: use --max-temp\n",
                "temporary files have more than 1 GiB"
            ),
            ("relctl: error: --where: a value is missing\n", "where: a value is missing"),
            ("relctl: error: a\n  b: c\n", "a\n  b: c"),
        ]
    )
    func plain(_ printed: String, _ text: String) {
        #expect(MCPSession.plain(printed) == text)
    }
}
