// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Passwords of the user's logins from a command", .timeLimit(.minutes(2)))
struct PasswordCommandTests {
    private let deployment = Deployment()

    /// Adds a login whose password a command prints.
    private func add(_ command: [String], options: [String] = []) async throws -> Command.Output {
        let pin = try await deployment.fingerprint(of: "sample")
        return try await deployment.relctl(
            [
                "login", "add", "sample", "--user", "simple", "--domain", "DASamples", "--schema", "Simple",
                "--allow-plaintext", "--pin", pin,
            ] + options + ["--password-command"] + command
        )
    }

    private func start(environment: [String: String] = [:]) async throws -> Supervised {
        let daemon = try await deployment.startDaemon(environment: environment)
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        return daemon
    }

    private func unlock() async throws {
        try await deployment.success(["vault", "unlock", "--passphrase-stdin"], input: Deployment.passphrase + "\n")
    }

    @Test(
        "secret-tool prints the password from gnome-keyring at each login, after the user has seen the command",
        .enabled(
            if: Requirement.allMet([
                .program("dbus-daemon"), .program("dbus-send"), .program("gnome-keyring-daemon"),
                .program("secret-tool"),
            ])
        )
    )
    func secretTool() async throws {
        let bus = try await SessionBus()
        let keyring = try await GnomeKeyring(on: bus, password: "keyring")
        let words = ["secret-tool", "lookup", "service", "relativity test", "user", "simple"]
        let store = ["secret-tool", "store", "--label", "Sample server"] + words[2...]
        try await Command(store, environment: bus.environment).succeed(input: "simple")
        deployment.configurePinentry()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        let daemon = try await start(environment: environment)

        let added = try await add(words)
        #expect(added.status == 0 && added.standardError.contains("prompts appear in a pinentry"), "\(added)")
        let shown = "'secret-tool' 'lookup' 'service' 'relativity test' 'user' 'simple'"
        let question = try #require(deployment.said.first { $0.hasPrefix("SETDESC") })
        #expect(question.contains("('relctl') wants a program to run") && question.contains(shown), "\(question)")
        #expect(deployment.said.count { $0 == "CONFIRM" } == 1 && !deployment.said.contains("GETPIN"))
        #expect(try await deployment.success("login", "show", Deployment.login).contains("command:  \(shown)\n"))
        #expect(try await deployment.success("login", "list").contains("  command  "))
        let record = try #require(try await deployment.json("login", "show", Deployment.login).objectValue)
        #expect(record["passwordCommand"] == .array(words.map { .string($0) }) && record["commandAgreed"] == true)
        #expect(try await deployment.json("vault", "status").objectValue?["format"] == "2.0")

        let (holder, adapter) = try await deployment.holdAdapter("sample")
        #expect(try adapter.string("login") == Deployment.login)
        holder.signal(15)
        _ = holder.wait()
        try await daemon.end()
        try await deployment.startDaemon(environment: environment)
        try await unlock()
        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))
        #expect(deployment.said.count { $0 == "CONFIRM" } == 1)

        try await Command(["secret-tool", "clear"] + words[2...], environment: bus.environment).succeed()
        let failed = try await deployment.relctl("login", "test", Deployment.login)
        #expect(failed.status != 0 && failed.standardOutput.contains("exited with status 1"), "\(failed)")
        try await keyring.end()
    }

    @Test(
        "keepassxc-cli prints the password from a database with a key file",
        .enabled(if: Requirement.allMet([.program("keepassxc-cli")]))
    )
    func keepassxc() async throws {
        let (database, key) = (deployment.home.path(of: "passwords.kdbx"), deployment.home.path(of: "key"))
        let environment = deployment.environment
        let create = ["keepassxc-cli", "db-create", "-q", "--set-key-file", key, database]
        try await Command(create, environment: environment).succeed()
        let entry = ["keepassxc-cli", "add", "-q", "--no-password", "-k", key, "-p", database, "Sample server"]
        try await Command(entry, environment: environment).succeed(input: "simple\n")
        deployment.configurePinentry()
        _ = try await start()
        let command = [
            "keepassxc-cli", "show", "-q", "-s", "-a", "Password", "--no-password", "-k", key, database,
            "Sample server",
        ]
        let added = try await add(command)
        #expect(added.status == 0, "\(added)")
        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))
        #expect(deployment.requests(of: "LoginService.LoginEx") == 2)
        let vault = TextFile.bytes(of: deployment.vaultFile)
        #expect(!vault.isEmpty && !vault.contains(Array("keepassxc".utf8)))
    }

    @Test("no caller sets a command that the user has not agreed to, and such a command never runs")
    func refusals() async throws {
        let marker = deployment.home.path(of: "ran")
        let command = ["sh", "-c", "echo x >>'\(marker)'; echo simple"]
        deployment.configurePinentry(agrees: false)
        let daemon = try await start()
        let closed = try await add(command)
        #expect(closed.status == 1 && closed.standardError.contains("the prompt was dismissed"), "\(closed)")
        // Even without the test of the login.
        #expect(try await add(command, options: ["--name", "untested", "--no-test"]).status == 1)
        #expect(try await deployment.addLogin().status == 0)
        let edit = ["login", "edit", Deployment.login, "--no-test", "--password-command"]
        #expect(try await deployment.relctl(edit + command).status == 1)
        let prompts = deployment.said.count { $0 == "CONFIRM" }
        let absent = try await add(["nosuchprog"], options: ["--name", "absent"])
        #expect(absent.status == 6 && absent.standardError.contains("was not found in /usr/local/bin"), "\(absent)")
        let unstarted = try await add(["/nosuchprog"], options: ["--name", "absent"])
        #expect(unstarted.status == 6 && unstarted.standardError.contains("No such file"), "\(unstarted)")
        #expect(deployment.said.count { $0 == "CONFIRM" } == prompts)
        let empty = try await add([])
        #expect(empty.status == 64 && empty.standardError.contains("--password-command is followed by"), "\(empty)")
        let long = try await deployment.relctl(edit + ["pass", String(repeating: "x", count: 600)])
        #expect(long.status == 64 && long.standardError.contains("too long to be shown in a prompt"), "\(long)")
        let relative = try await deployment.relctl(edit + ["bin/pass"])
        #expect(relative.status == 64 && relative.standardError.contains("a password command is"), "\(relative)")
        try await daemon.end()

        deployment.configurePinentry(agent: "none")
        try await deployment.startDaemon()
        try await unlock()
        let nobody = try await deployment.relctl(edit + command)
        #expect(nobody.status == 1 && nobody.standardError.contains("prompts are turned off"), "\(nobody)")
        #expect(try await deployment.success("login", "list").contains("  stored  "))
        #expect(TextFile.bytes(of: marker).isEmpty)
    }

    @Test("a command in a restored vault runs after the user has agreed to it, and a failure is not repeated at once")
    func restored() async throws {
        let marker = deployment.home.path(of: "ran")
        var runs: Int { TextFile.text(of: marker).split(separator: "\n").count }
        let script = deployment.home.path(of: "get.sh")
        deployment.home.write(Array("echo x >>'\(marker)'; echo simple".utf8), to: "get.sh")
        deployment.configurePinentry()
        _ = try await start()
        #expect(try await add(["sh", script]).status == 0 && runs == 1)
        let backup = try await deployment.json("vault", "backup", "--to", deployment.home.path)
        let file = try #require(backup.objectValue).string("file")
        let passphrase = Deployment.passphrase + "\n"
        let restore = ["vault", "restore", "--replace", "--stdin", file]
        let restored = try await deployment.relctl(restore, input: passphrase)
        #expect(restored.standardError.contains("relctl login edit 'simple@sample' --agree-command"), "\(restored)")
        if restored.status == 4 { try await deployment.success("vault", "accept", "--generation", "3", "--yes") }

        let refused = try await deployment.relctl("login", "test", Deployment.login)
        #expect(refused.status == 1 && refused.standardOutput.contains("is not agreed to"), "\(refused)")
        let agree = "relctl: hint: relctl login edit 'simple@sample' --agree-command\n"
        #expect(refused.standardError.hasSuffix(agree), "\(refused)")
        #expect(try await deployment.success("login", "show", Deployment.login).contains("command, not agreed"))
        #expect(runs == 1)
        let before = deployment.said.count { $0 == "CONFIRM" }
        try await deployment.success("login", "edit", Deployment.login, "--agree-command")
        #expect(runs == 2 && deployment.said.count { $0 == "CONFIRM" } == before + 1)
        #expect(try await deployment.success("login", "test", Deployment.login).contains("ok  login"))

        deployment.home.write(Array("echo x >>'\(marker)'; exit 3".utf8), to: "get.sh")
        let start = runs
        for isAgain in [false, true] {
            let failed = try await deployment.relctl("login", "test", Deployment.login)
            #expect(failed.status == 6 && failed.standardOutput.contains("exited with status 3"), "\(failed)")
            #expect(failed.standardError.hasSuffix("hint: relctl login show 'simple@sample'\n"), "\(failed)")
            #expect(failed.standardOutput.contains("was not run again") == isAgain, "\(failed)")
        }
        #expect(runs == start + 1)
    }
}
