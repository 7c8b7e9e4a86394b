// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The programs of `client new`, built as they are and run against a sample server.
@Suite(
    "New clients",
    .enabled(
        if: Requirement.allMet([.program("systemd-socket-activate"), .program("mypy")], for: "clients"),
        "systemd-socket-activate and mypy"
    ),
    .timeLimit(.minutes(3))
)
struct ClientCommandTests {
    private let deployment = Deployment()

    private typealias Started = (daemon: Supervised, server: Supervised, port: Int)

    @Test("a program in Python has correct types, and shows, edits, applies, saves and loads")
    func python() async throws {
        let started: Started = try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let directory = deployment.home.path(of: "python client")
        try await deployment.success([
            "client", "new", "--language", "python", "--endpoint", "sample", "--table", "Deps", "--table", "Users",
            directory,
        ])
        let sources = Sources.root + "/python/src"
        let environment = Self.environment(deployment).merging(
            ["PYTHONPATH": sources, "MYPYPATH": sources, "PYTHONDONTWRITEBYTECODE": "1"]
        ) { $1 }
        let cache = deployment.home.path(of: "mypy")
        try await Command(
            [
                "mypy", "--strict", "--config-file", Sources.root + "/python/pyproject.toml", "--cache-dir", cache,
                directory + "/client.py",
            ],
            environment: environment
        ).succeed()
        try await Self.use(["/usr/bin/python3", directory + "/client.py"], environment, deployment) {
            "Deps(DepId=2, DepName='Support', DepPhone='\($0)')"
        }
        try await Self.end(started, helper)
        let load = ["/usr/bin/python3", directory + "/client.py", "load", deployment.home.path(of: "x.daBriefcase")]
        let loaded = try await Command(load, environment: environment).succeed()
        #expect(loaded.contains("DepPhone='007')\n"), "the briefcase needs no server")
    }

    /// Compiled against the modules of this build. `make client-check` also builds it with its manifest, which takes about
    /// half a minute.
    @Test("a program in Swift compiles without a warning, and shows, edits, applies, saves and loads")
    func swift() async throws {
        let started: Started = try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let directory = deployment.home.path(of: "client")
        mkdir(directory, 0o700)
        let output = try await deployment.success([
            "client", "new", "--language=swift", "--package=\(Sources.root)", "--endpoint=sample",
            "--login=\(Deployment.login)", directory,
        ])
        let files = ["Package.swift", "Sources/Client/Program.swift", "Sources/Client/Rows.swift", "README.md"]
        #expect(output == files.map { "\(directory)/\($0)\n" }.joined())
        let modules = ["LocalAPI", "Endpoints", "Varlink", "JSON", "Locks"].map {
            "'\(Products.path(of: "\($0).build"))'/*.swift.o"
        }
        let build = """
            exec swiftc -swift-version 6 -warnings-as-errors -I '\(Products.path(of: "Modules"))' \
            ${RELATIVITYD_SANITIZE:+-sanitize=$RELATIVITYD_SANITIZE} '\(directory)'/Sources/Client/*.swift \
            \(modules.joined(separator: " ")) -o '\(directory)/client'
            """
        try await Command(["sh", "-c", build]).succeed(deadline: .seconds(120))
        let manifest = try await Command(["swift", "package", "--package-path", directory, "dump-package"]).succeed(
            deadline: .seconds(60)
        )
        #expect(manifest.contains("\"\(Sources.root)\""), "\(manifest)")
        if getenv("RELATIVITYD_CLIENT_BUILD") != nil {
            // The versions of this project are in the cache of the package manager, so that no network is needed.
            try await Command(["cp", Sources.root + "/Package.resolved", directory]).succeed()
            try await Command(["swift", "build", "--package-path", directory]).succeed(deadline: .seconds(600))
            let program = directory + "/.build/debug/Client"
            let rows = try await Command([program], environment: Self.environment(deployment)).succeed()
            #expect(rows.contains("Deps(DepId: 2, "), "\(rows)")
        }
        try await Self.use([directory + "/client"], Self.environment(deployment), deployment) {
            #"Deps(DepId: 2, DepName: "Support", DepPhone: Optional("\#($0)"))"#
        }
        try await Self.end(started, helper)
        let load = [directory + "/client", "load", deployment.home.path(of: "x.daBriefcase")]
        let loaded = try await Command(load, environment: Self.environment(deployment)).succeed()
        #expect(loaded.contains(#"DepPhone: Optional("007"))"#), "the briefcase needs no server")
    }

    private static func end(_ started: Started, _ helper: DataHelper) async throws {
    }

    @Test("at a terminal, the questions are those of options that are missing; otherwise they are required")
    func questions() async throws {
        try await deployment.startWithLogin()
        let directory = deployment.home.path(of: "client")
        let terminal = try TerminalSession(
            [Products.path(of: "relctl"), "client", "new", "--language", "python", directory],
            environment: deployment.environment
        )
        for (question, answer) in [
            ("server [sample]: ", ""), ("login, if the server has several (empty for none): ", ""),
            ("Relativity server or custom (r, c)? [r] ", ""),
            ("schema, if not that of the login (empty for none): ", "Simple"),
            ("tables, with commas between them? [all] ", "Users"),
        ] {
            try await terminal.answer(question, answer)
        }
        let end = try await terminal.end()
        #expect(end.status == 0, "\(end)")
        let code = TextFile.text(of: directory + "/client.py")
        #expect(code.contains(#""endpoint": "sample","#) && code.contains(#""schema": "Simple","#))
        #expect(code.contains(#"TABLES: list[str] = ["Users"]"#) && !code.contains("Deps"))
        for (arguments, message) in [
            (["--language=python", "--endpoint=sample", directory], "'\(directory)' is not empty"),
            (["--language=swift", "--endpoint=sample", directory + "2"], "use --package"),
            (["--language=python", directory + "2"], "use --endpoint"),
            (["--language=python", "--endpoint=sample", "--table=None", directory + "2"], "no table 'None'"),
        ] {
            let refused = try await deployment.relctl(["client", "new"] + arguments)
            #expect(refused.status != 0 && refused.standardError.contains(message), "\(refused)")
        }
        #expect(access(directory + "2", F_OK) != 0)
    }

    /// The environment of a program that runs relctl.
    private static func environment(_ deployment: Deployment) -> [String: String] {
        let programs = deployment.home.path(of: "programs")
        mkdir(programs, 0o700)
        symlink(Products.path(of: "relctl"), programs + "/relctl")
        let path = deployment.environment["PATH"] ?? "/usr/bin:/bin"
        return deployment.environment.merging(["PATH": "\(programs):\(path)"]) { $1 }
    }

    /// Calls all commands of a client.
    ///
    /// - Parameter row: the shown row of the department 2 with a phone.
    private static func use(
        _ program: [String],
        _ environment: [String: String],
        _ deployment: Deployment,
        _ row: (String) -> String
    ) async throws {
        func run(_ words: String...) async throws -> String {
            try await Command(program + words, environment: environment).succeed()
        }
        #expect(try await run().contains(row("+1 555 0101") + "\n"))
        #expect(try await run("edit", "Deps", "2", "DepPhone", "006").hasPrefix("pending "))
        #expect(try await run("edit", "Deps", "2", "DepPhone", "007").hasPrefix("pending "))
        #expect(try await run("show").contains(row("+1 555 0101") + "\n"))
        #expect(try await run("apply").hasPrefix("accepted "))
        #expect(try await run("apply") == "nothing to apply\n")
        #expect(try await run("show").contains(row("007") + "\n"))
        let briefcase = deployment.home.path(of: "x.daBriefcase")
        #expect(try await run("save", briefcase).contains("Deps "))
        try await deployment.success("table", "update", "sample", "Deps", "2", "DepPhone=008")
        #expect(try await run("load", briefcase).contains(row("007") + "\n"))
        let wrong = try await Command(program + ["edit", "Deps", "99", "DepPhone", "1"], environment: environment).run()
        #expect(wrong.status != 0 && !wrong.standardError.isEmpty)
        let unknown = try await Command(program + ["nothing"], environment: environment).run()
        #expect(unknown.status != 0 && unknown.standardError.contains("edit TABLE KEY FIELD VALUE"))
    }
}
