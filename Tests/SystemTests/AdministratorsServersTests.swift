// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform
import TestSupport
import Testing

@Suite(
    "Configured servers on the command line",
    .enabled(if: Requirement.allMet([.root]), "needs root, whose the files are"),
    .timeLimit(.minutes(2))
)
struct AdministratorsServersTests {
    private let deployment = Deployment()

    private func write(_ lines: String..., to name: String) {
        mkdir(deployment.home.path(of: "endpoints.d"), 0o755)
        deployment.home.write(Array(lines.joined(separator: "\n").utf8), to: "endpoints.d/\(name)", mode: 0o644)
    }

    private func start() async throws -> Supervised {
        try await deployment.startDaemon(options: ["--endpoints", deployment.home.path(of: "endpoints.d")])
    }

    private func addLogin(_ options: String...) async throws -> Command.Output {
        let login = ["login", "add", "office", "--user", "simple", "--password-stdin"]
        return try await deployment.relctl(login + options, input: "simple\n")
    }

    @Test(
        "a configured server needs no verification and cannot be removed, and a reload reads changes"
    )
    func life() async throws {
        let server = try await deployment.startServer()
        write(
            "url = \"127.0.0.1:\(server.port)\"",
            "allow_plaintext = true",
            "domain = \"DASamples\"",
            "schema = \"Simple\"",
            to: "office.toml"
        )
        write("url = \"127.0.0.1:1\"", "nonsense = 1", to: "bad.toml")
        let daemon = try await start()
        try await deployment.initialiseVault()

        let shown = try #require(try await deployment.json("show", "office").objectValue)
        #expect(try shown.string("origin") == "configured")
        #expect(try shown.object("identity").bool("vouchedFor"))
        #expect(try await deployment.success("status").contains("no key 'nonsense'"))
        let added = try await addLogin()
        #expect(added.status == 0, "\(added)")
        let login = try #require(try await deployment.json("login", "list").arrayValue?.first?.objectValue)
        #expect(try login.string("domain") == "DASamples" && login.string("schema") == "Simple")

        let removed = try await deployment.relctl("endpoint", "remove", "--yes", "office")
        #expect(removed.status == 1)
        #expect(removed.standardError.contains("endpoints.d/office.toml"), "\(removed)")

        let id = try shown.string("id")
        write("url = \"127.0.0.1:\(server.port)\"", "name = \"Head office\"", to: "office.toml")
        write("url = \"10.0.0.9\"", to: "bad.toml")
        daemon.send("USR2")
        try await eventually { try await deployment.relctl("show", "Head office").status == 0 }
        let again = try #require(try await deployment.json("show", "Head office").objectValue)
        #expect(try again.string("id") == id)
        #expect(try !again.object("identity").bool("vouchedFor"))
        try await eventually { try await !deployment.success("status").contains("nonsense") }

        unlink(deployment.home.path(of: "endpoints.d/office.toml"))
        daemon.send("USR2")
        try await eventually { try await deployment.json("list").arrayValue?.count == 1 }
        try await daemon.end()
        #expect(!TextFile.text(of: deployment.home.path(of: "data/relativityd/endpoints.json")).contains("configured"))
    }

    @Test("a server without the configured key gets no login and no call")
    func otherServer() async throws {
        let server = try await deployment.startServer()
        let front = try await TLSFront(deployment, backend: server.port)
        write(
            "url = \"https://127.0.0.1:\(front.port)/bin\"",
            "pin = \"\(String(repeating: "ab", count: 32))\"",
            to: "office.toml"
        )
        let daemon = try await start()
        try await deployment.initialiseVault()
        let added = try await addLogin("--domain", "DASamples")
        #expect(added.status == 5, "\(added)")
        #expect(added.standardError.contains("endpoints.d/office.toml"), "\(added)")
        #expect(try await deployment.relctl("adapter", "open", "office", "--anonymous", "--ttl", "60").status == 5)
        #expect(deployment.requests(of: "LoginService.LoginEx") == 0)

        write("url = \"https://127.0.0.1:\(front.port)/bin\"", to: "office.toml")
        daemon.send("USR2")
        try await eventually { try await deployment.relctl("show", "office").status == 0 }
        let shown = try #require(try await deployment.json("show", "office").objectValue)
        write(
            "url = \"https://127.0.0.1:\(front.port)/bin\"",
            "pin = \"\(try shown.string("fingerprint"))\"",
            to: "office.toml"
        )
        daemon.send("USR2")
        try await eventually {
            try await deployment.json("show", "office").objectValue?.object("identity").bool("vouchedFor") == true
        }
        #expect(try await addLogin("--domain", "DASamples", "--schema", "Simple").status == 0)
        #expect(deployment.requests(of: "LoginService.LoginEx") == 1)
    }

    @Test("a .relativityClient file is imported without its users, kept, and exported without a login")
    func exchange() async throws {
        let file = deployment.home.path(of: "a.relativityClient")
        let text = """
            <?xml version="1.0" encoding="utf-16"?><RelativityClient><Server><Name>Lager</Name>\
            <ServerUri>http://127.0.0.1:7099/bin</ServerUri></Server><Domain>D &amp; E</Domain><Schema>S</Schema>\
            <AdminLogin>Admin</AdminLogin><DataLogin>Data<Password>hunter2</Password></DataLogin></RelativityClient>
            """
        let units = [0xFEFF] + Array(text.utf16)
        deployment.home.write(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "a.relativityClient")
        var daemon = try await deployment.startDaemon()
        let imported = try await deployment.relctl("endpoint", "import", file)
        #expect(imported.status == 0, "\(imported)")
        #expect(imported.standardError.contains("login add"))
        #expect(imported.standardError.contains("--user='Data'") && imported.standardError.contains("--user='Admin'"))
        try await daemon.end()
        daemon = try await deployment.startDaemon()
        let shown = try #require(try await deployment.json("show", "Lager").objectValue)
        #expect(try shown.string("origin") == "imported")
        #expect(try shown.string("loginDomain") == "D & E" && shown.string("loginSchema") == "S")
        #expect(try await deployment.relctl("endpoint", "import", file, "--name", "Two").status == 1)

        let out = deployment.home.path(of: "b.relativityClient")
        try await deployment.success("endpoint", "export", "Lager", "--out", out)
        let exported = TextFile.text(of: out)
        #expect(exported.contains("<ServerUri>http://127.0.0.1:7099/bin</ServerUri>"))
        #expect(exported.contains("<Domain>D &amp; E</Domain>") && exported.contains("<DataLogin />"))
        #expect(try await deployment.relctl("endpoint", "export", "Lager", "--out", out).status == 1)
        try await deployment.success("endpoint", "remove", "Lager")
        let standardInput = try await deployment.relctl("endpoint", "import", "-", "--name", "Again", input: exported)
        #expect(standardInput.status == 0, "\(standardInput)")

        let unknown = "<RelativityClient><Server><Name>Nobody</Name></Server></RelativityClient>"
        let refused = try await deployment.relctl("endpoint", "import", "-", input: unknown)
        #expect(refused.status == 11 && refused.standardError.contains("'Nobody' is not announced now"), "\(refused)")
        let broken = try await deployment.relctl("endpoint", "import", "-", input: "<a>\n<b>")
        #expect(broken.status == 64 && broken.standardError.contains("line 1: the outermost"), "\(broken)")
        try await daemon.end()
        for name in ["data/relativityd/endpoints.json", "relativityd.log"] {
            #expect(!TextFile.text(of: deployment.home.path(of: name)).contains("hunter2"))
        }
    }

    @Test("in a user namespace without root, like the unit's, root's files are used, and the user's own are not")
    func userNamespace() async throws {
        let user: uid_t = 1_234
        let home = Home(user: user)
        let files = TemporaryDirectory()
        chmod(files.path, 0o755)
        files.write(Array("url = \"10.0.0.1\"".utf8), to: "roots.toml", mode: 0o644)
        files.write(Array("url = \"10.0.0.2\"".utf8), to: "own.toml", mode: 0o644)
        chown(files.path(of: "own.toml"), user, user)
        let script = """
            exec setpriv --reuid=\(user) --regid=\(user) --clear-groups -- \
                unshare --user --map-user=\(user) -- "$0" --endpoints '\(files.path)'
            """
        let daemon = try await home.startDaemon(["sh", "-c", script])
        let list = try #require(try JSONValue(parsing: try await home.relctl("list", "--json")).objectValue)
        #expect(try list.objects("endpoints").map { try $0.string("name") } == ["roots"])
        let status = try await home.relctl("status")
        #expect(status.contains("own.toml' is ignored: it belongs to user 1234, not to root"), "\(status)")
        try await daemon.end()
    }
}
