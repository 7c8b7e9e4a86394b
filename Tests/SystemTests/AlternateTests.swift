// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Alternate addresses of a server", .timeLimit(.minutes(3)))
struct AlternateTests {
    private let deployment = Deployment()

    private static let warning = "sample: read at an alternate address: it is not agreed to have the same database"

    /// The requests that the server at the alternate address has received, a method in each line.
    private var alternateRequests: [Substring] {
        TextFile.text(of: deployment.home.path(of: "alternate")).split(separator: "\n")
    }

    /// A second server with databases and a log of its own.
    private func startAlternate() async throws -> (program: Supervised, port: Int) {
        try await deployment.startServer(
            ["--log-requests", deployment.home.path(of: "alternate")],
            data: "alternate-server"
        )
    }

    private func fingerprint(at url: String) async throws -> String {
        try await deployment.success("add", "probe", url)
        let fingerprint = try await deployment.fingerprint(of: "probe")
        try await deployment.success("endpoint", "remove", "probe", "--yes")
        return fingerprint
    }

    private func add(_ url: String, options: [String] = ["--allow-plaintext"]) async throws -> Command.Output {
        let pin = try await fingerprint(at: url)
        return try await deployment.relctl(
            ["endpoint", "set", "sample", "--alternate", url, "--pin", pin] + options
        )
    }

    /// The URL in use, as `endpoint show` has it.
    private func used() async throws -> String {
        let shown = try #require(try await deployment.json("show", "sample").objectValue)
        let address = try #require(try shown.objects("alternates").first { $0["inUse"] == true })
        return try address.string("url")
    }

    @Test("while the first address refuses connections the next one is used, and the first one again afterwards")
    func stopped() async throws {
        let (_, first, port) = try await deployment.startWithLogin()
        let second = try await startAlternate()
        let url = "http://127.0.0.1:\(second.port)/bin"
        let added = try await add(url)
        #expect(added.status == 0 && added.standardOutput.contains("alternate, other database"), "\(added)")
        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))
        #expect(alternateRequests.isEmpty)
        #expect(try await used() == "http://127.0.0.1:\(port)/bin")

        try await first.end()
        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))
        #expect(alternateRequests.contains("LoginService.LoginEx"))
        #expect(try await used() == url)
        #expect(try await deployment.success("show", "sample").contains("\(url)  alternate, other database, in use"))
        let diagnosis = try await deployment.relctl("doctor", "sample")
        #expect(diagnosis.standardOutput.contains("answers at \(url)"), "\(diagnosis)")
        #expect(diagnosis.standardOutput.contains("not agreed to have the same database"), "\(diagnosis)")
        for words in [
            ["table", "get", "sample", "Deps"], ["sql", "sample", "SELECT DepName FROM Deps"],
            ["table", "count", "sample", "Deps"], ["table", "list", "sample"],
            ["table", "export", "sample", "Deps", "--to", deployment.home.path(of: "x.db")],
        ] {
            let read = try await deployment.relctl(words + ["--json"])
            #expect(read.status == 0 && read.standardError.contains(Self.warning), "\(read)")
            let notes = try JSONValue(parsing: read.standardOutput).objectValue?.objects("notes")
            #expect(notes?.first == ["step": "read", "reason": "otherDatabase"], "\(read)")
        }

        // No edit, and no set that is kept, goes to a database that may be another one.
        let insert = ["table", "insert", "sample", "Deps", "DepName=Elsewhere"]
        let refused = try await deployment.relctl(insert)
        #expect(refused.status == 12 && refused.standardError.contains("not agreed to have the same"), "\(refused)")
        let adapter = try await deployment.holdAdapter("sample")
        #expect(adapter.adapter["otherDatabase"] == true)
        adapter.holder.signal(15)
        _ = adapter.holder.wait()
        #expect(!alternateRequests.contains("DataService.UpdateData"))

        // The user agrees that it is one database.
        #expect(try await add(url, options: ["--allow-plaintext", "--one-database"]).status == 0)
        #expect(try await deployment.relctl(insert).status == 0)
        #expect(alternateRequests.contains("DataService.UpdateData"))
        let agreed = try await deployment.relctl("table", "get", "sample", "Deps", "--json")
        #expect(agreed.standardError == "" && !agreed.standardOutput.contains("notes"), "\(agreed)")

        try await deployment.startServer(port: port)
        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))
        #expect(try await used() == "http://127.0.0.1:\(port)/bin")
        try await deployment.success("endpoint", "set", "sample", "--remove-alternate", url)
        let shown = try #require(try await deployment.json("show", "sample").objectValue)
        #expect(shown["alternates"] == nil)
    }

    @Test("after a login at the next address has failed, the session uses the first one again")
    func failedLogin() async throws {
        let (_, first, port) = try await deployment.startWithLogin()
        let second = try await startAlternate()
        let options = ["--allow-plaintext", "--one-database"]
        #expect(try await add("http://127.0.0.1:\(second.port)/bin", options: options).status == 0)
        let adapter = try await deployment.holdAdapter("sample")
        let list = ["table", "list", "sample"]
        try await deployment.success(list)

        try await second.program.end()
        let closing = """
            import socket
            server = socket.create_server(("127.0.0.1", \(second.port)))
            print("ready", flush=True)
            while True:
                client = server.accept()[0]
                if b"LoginEx" in client.recv(65536):
                    print("login", flush=True)
                client.close()
            """
        let log = deployment.home.path(of: "closing.log")
        let broken = try Supervised(["python3", "-c", closing], environment: deployment.environment, log: log)
        try await eventually { TextFile.text(of: log) == "ready\n" }
        try await first.end()
        try await eventually {
            let failed = try await deployment.relctl(list)
            #expect(failed.status != 0, "\(failed)")
            return TextFile.text(of: log).contains("login")
        }
        try await broken.end()
        try await deployment.startServer(port: port)
        try await eventually { try await deployment.relctl(list).status == 0 }
        adapter.holder.signal(15)
        _ = adapter.holder.wait()
    }

    @Test("the strength is that of the address in use, in the result of a test and in the audit log")
    func strength() async throws {
        try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let front = try await TLSFront(deployment, backend: server.port)
        try await deployment.success("add", "sample", "https://127.0.0.1:\(front.port)/bin")
        try await deployment.initialiseVault()
        #expect(try await deployment.addLogin(options: ["--name", "clerk"]).status == 0)
        let url = "http://127.0.0.1:\(server.port)/bin"
        #expect(try await add(url).status == 0)
        try await front.program.end()
        let before = try await uses().count

        let tested = try await deployment.success("login", "test", "clerk")
        #expect(tested.contains("reached at \(url)") && !tested.contains("tlsKey"), "\(tested)")
        let adapter = try await deployment.holdAdapter("sample")
        adapter.holder.signal(15)
        _ = adapter.holder.wait()
        let used = try await uses().dropFirst(before)
        #expect(used.count >= 3 && used.allSatisfy { $0["strength"] == "loopback" }, "\(used)")
    }

    /// The lines of the audit log about uses of a login.
    private func uses() async throws -> [JSONObject] {
        try #require(try await deployment.json("audit").arrayValue).compactMap(\.objectValue)
            .filter { ["login.tested", "password.used", "adapter.opened"].contains($0["event"]) }
    }

    @Test("another certificate or a refused login at the first address never leads to the next one")
    func staying() async throws {
        try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let front = try await TLSFront(deployment, backend: server.port)
        try await deployment.success("add", "sample", "https://127.0.0.1:\(front.port)/bin")
        try await deployment.initialiseVault()
        let login = ["--name", "clerk"]
        #expect(try await deployment.addLogin(options: login).status == 0)
        let second = try await startAlternate()
        #expect(try await add("http://127.0.0.1:\(second.port)/bin").status == 0)

        try await front.program.end()
        _ = try await TLSFront(deployment, backend: server.port, port: front.port)
        let conflict = try await deployment.relctl("adapter", "open", "sample", "--ttl", "60")
        #expect(conflict.status == 5, "\(conflict)")
        #expect(alternateRequests.isEmpty)

        let pin = try await deployment.fingerprint(of: "sample")
        try await deployment.success("endpoint", "repin", "sample", "--pin", pin)
        let wrong = ["login", "edit", "clerk", "--password-stdin", "--no-test"]
        try await deployment.success(wrong, input: "wrong\n")
        let sent = deployment.requests(of: "LoginService.LoginEx")
        let refused = try await deployment.relctl("adapter", "open", "sample", "--ttl", "60")
        #expect(refused.status == 13, "\(refused)")
        #expect(deployment.requests(of: "LoginService.LoginEx") == sent + 1 && alternateRequests.isEmpty)
    }

    @Test(
        "the Data API has a note in each read at an address that may have another database",
        .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate")
    )
    func dataAPI() async throws {
        let (_, first, _) = try await deployment.startWithLogin()
        let second = try await startAlternate()
        #expect(try await add("http://127.0.0.1:\(second.port)/bin").status == 0)
        try await first.end()
        let client = try await DataHelper(deployment).connect()
        let sample: JSONValue = ["endpoint": "sample"]
        for (method, parameters) in [
            ("Read", ["table": "Deps"]), ("Query", ["sql": "SELECT DepName FROM Deps"]), ("Count", ["table": "Deps"]),
            ("ReadTables", ["tables": ["Deps"]]), ("Watch", ["table": "Deps"]),
        ] as [(String, JSONObject)] {
            var call = parameters
            call["server"] = sample
            client.send(method, call, more: method != "Count")
            var notes: JSONValue?
            while notes == nil {
                let reply = try client.reply()
                #expect(reply["error"] == nil, "\(method): \(reply)")
                notes = reply["parameters"]?.objectValue?["notes"]
                guard reply["continues"] == true else { break }
            }
            #expect(notes?.arrayValue?.first == ["step": "read", "reason": "otherDatabase"], "\(method)")
        }
    }

    @Test("an address that does not answer, or that is not known, is named without an internal name")
    func unknownAddresses() async throws {
        _ = try await deployment.startWithLogin()
        let set = ["endpoint", "set", "sample"]
        let silent = try await deployment.relctl(set + ["--alternate", "http://127.0.0.1:1/bin", "--allow-plaintext"])
        #expect(silent.status != 0 && !silent.standardError.contains("alternate-"), "\(silent)")
        let unknown = try await deployment.relctl(set + ["--remove-alternate", "http://127.0.0.1:1/bin"])
        #expect(
            unknown.standardError == """
                relctl: error: 'sample' has no alternate address http://127.0.0.1:1/bin
                relctl: hint: relctl show 'sample'

                """ && unknown.status == 11,
            "\(unknown)"
        )
    }

    @Test("each alternate needs its own agreement, and plain HTTP its own consent")
    func agreements() async throws {
        let (_, first, _) = try await deployment.startWithLogin()
        let second = try await startAlternate()
        let url = "http://127.0.0.1:\(second.port)/bin"
        let plain = try await add(url, options: [])
        #expect(plain.status == 64 && plain.standardError.contains("unencrypted"), "\(plain)")
        let set = ["endpoint", "set", "sample", "--alternate", url, "--allow-plaintext"]
        let other = try await deployment.relctl(set + ["--pin", String(repeating: "0", count: 64)])
        #expect(other.status == 5, "\(other)")
        let unasked = try await deployment.relctl(set)
        #expect(unasked.status == 64 && unasked.standardError.contains("--pin"), "\(unasked)")
        #expect(try await deployment.relctl("endpoint", "set", "sample", "--one-database").status == 64)
        try await first.end()
        #expect(try await deployment.relctl("login", "test", Deployment.login).status == 12)
        #expect(alternateRequests.isEmpty)
        try await deployment.success("vault", "lock")
        #expect(try await add(url).status == 3)
    }

    @Test(
        "an edit that was sent is not sent to another address when its reply is lost",
        .enabled(if: Requirement.allMet([.program("/usr/bin/python3")]), "needs Debian's python3")
    )
    func loss() async throws {
        let server = try await ServerBehindProxy("broken_reply", in: deployment)
        let second = try await startAlternate()
        let options = ["--allow-plaintext", "--one-database"]
        #expect(try await add("http://127.0.0.1:\(second.port)/bin", options: options).status == 0)
        try await server.prepare("withhold UpdateData 1")
        let insert = try deployment.background("table", "insert", "sample", "Deps", "DepName=Once")
        #expect(try await server.line() == "held")
        try await server.kill()
        let errors = try await BlockingWork.run {
            var errors: [UInt8] = []
            while case let bytes = insert.readErrors(), !bytes.isEmpty { errors += bytes }
            return (insert.wait(), String(decoding: errors, as: UTF8.self))
        }
        #expect(errors.0 == 18 && errors.1.contains("the server may have made the changes or not"), "\(errors)")
        #expect(!alternateRequests.contains("DataService.UpdateData"))
        // The next command logs in at the other address.
        let rows = try await deployment.success("table", "get", "sample", "Deps", "--format", "csv", "-q")
        #expect(!rows.isEmpty && !rows.contains("Once"))
        #expect(alternateRequests.contains("LoginService.LoginEx"))
    }
}
