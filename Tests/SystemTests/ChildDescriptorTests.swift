// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

/// Each kind of program that the daemon or relctl starts records its descriptors. Descriptor 7 is open when the daemon
/// or relctl starts, and a client is connected to the daemon.
@Suite(
    "The descriptors of programs that are started",
    .enabled(if: Requirement.allMet([.program("python3")]), "needs python3"),
    .timeLimit(.minutes(2))
)
struct ChildDescriptorTests {
    private let deployment = Deployment()

    private var seven: String { deployment.home.path(of: "seven") }
    private var spy: String { deployment.home.path(of: "spy") }
    /// Runs a program with no other descriptors than 7 and the standard ones.
    private var withSeven: [String] {
        let script = """
            import os, sys
            os.closerange(3, 4096)
            os.dup2(os.open(sys.argv[1], os.O_RDONLY), 7)
            os.execv(sys.argv[2], sys.argv[2:])
            """
        return ["python3", "-c", script, seven]
    }

    /// Writes a program that records its descriptors.
    ///
    /// - Parameter rest: what it does then, as lines of a shell script.
    private func writeSpy(_ name: String = "spy", _ rest: String = "") {
        let record = deployment.home.path(of: "\(name).fds")
        let script = "#!/bin/sh\nls -l /proc/self/fd >'\(record).new'\nmv '\(record).new' '\(record)'\n\(rest)\n"
        deployment.home.write(Array(script.utf8), to: name, mode: 0o700)
        deployment.home.write([], to: "seven")
    }

    /// The descriptors from 3 upwards that a program has recorded since the last call, with their files.
    private func recorded(_ name: String = "spy") throws -> [String] {
        let path = deployment.home.path(of: "\(name).fds")
        defer { unlink(path) }
        let lines = TextFile.text(of: path).split(separator: "\n").filter { $0.contains(" -> ") }
        try #require(lines.count >= 3, "'\(name)' was not run")
        return lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 3, let number = Int(words[words.count - 3]), number > 2 else { return nil }
            // ls(1) itself has opened the directory.
            return words[words.count - 1].hasPrefix("/proc/") ? nil : "\(number) \(words[words.count - 1])"
        }
    }

    /// A directory with a copy of a program, which finds spies instead of its helpers.
    private func copy(_ program: String) async throws -> String {
        mkdir(deployment.home.path(of: "bin"), 0o700)
        let copy = deployment.home.path(of: "bin/\(program)")
        try await Command(["cp", "--reflink=auto", Products.path(of: program), copy]).succeed()
        return copy
    }

    @Test("those of the daemon get none: a password command, a pinentry and the keyring helper")
    func daemon() async throws {
        writeSpy("word", "echo simple")
        writeSpy("pinentry", "echo OK\nwhile read -r line; do echo OK; done")
        mkdir(deployment.home.path(of: "bin"), 0o700)
        writeSpy("bin/relativityd-secret-service")
        let prompts = "[prompts]\nagent = \"pinentry\"\npinentry = \"\(deployment.home.path(of: "pinentry"))\"\n"
        let configuration = "[probe]\nmode = \"off\"\n" + prompts
        deployment.home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
        let server = try await deployment.startServer()
        // The pin's canonical record (docs/vault-format.md) for plain HTTP on loopback: strength, address, port.
        let pin: [UInt8] = [0, 4, 0, 127, 0, 0, 1, 2, 0, UInt8(server.port & 0xFF), UInt8(server.port >> 8)]
        let login = """
            url=127.0.0.1:\(server.port)
            user=simple
            domain=DASamples
            schema=Simple
            pin=\(HexText.encode(SHA256.digest(of: pin)))
            allow_plaintext=yes
            password_command=["\(deployment.home.path(of: "word"))"]

            """
        mkdir(deployment.home.path(of: "credentials"), 0o700)
        deployment.home.write(Array(login.utf8), to: "credentials/relativityd.login.office", mode: 0o400)
        let daemon = try Supervised(
            withSeven + [try await copy("relativityd")],
            environment: deployment.environment.merging(
                ["CREDENTIALS_DIRECTORY": deployment.home.path(of: "credentials")]
            ) { $1 },
            log: deployment.daemonLog
        )
        try await eventually { try await deployment.relctl("version").status == 0 }
        let client = try UnixStream(path: deployment.socket)
        client.send(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0])
        #expect(try !client.receiveFrame().isEmpty)

        try await deployment.success("login", "test", "office")
        #expect(try recorded("word") == [])
        _ = try await deployment.relctl("vault", "init", "--provider", "secret-service")
        #expect(try recorded("bin/relativityd-secret-service") == [])
        try await deployment.initialiseVault()
        try await deployment.success("vault", "lock")
        // Another server, which has no login yet.
        let other = try await deployment.startServer(data: "other")
        try await deployment.success("add", "sample", "127.0.0.1:\(other.port)")
        _ = try await deployment.relctl("adapter", "open", "sample", "--interactive", "--user", "simple")
        #expect(try recorded("pinentry") == [])
        try await daemon.end()
        _ = (client, other)
    }

    @Test("those of relctl get what relctl was started with, and nothing that it opened")
    func relctl() async throws {
        writeSpy()
        mkdir(deployment.home.path(of: "bin"), 0o700)
        writeSpy("bin/relativityd-data")
        try await deployment.startWithLogin()
        let relctl = Products.path(of: "relctl")
        func run(_ arguments: [String], with relctl: String) async throws {
            let environment = deployment.environment.merging(["EDITOR": spy]) { $1 }
            _ = try await Command(withSeven + [relctl] + arguments, environment: environment).run()
        }
        // The test itself may have been started with others.
        _ = try await Command(withSeven + [spy], environment: deployment.environment).run()
        let given = try recorded()
        #expect(given.contains("7 \(seven)"))
        let runs = [
            ["adapter", "run", "--login", Deployment.login, "--", spy], ["connect", "sample", "--", spy],
            ["table", "edit", "sample", "Deps", "4"], ["sandbox", "--", spy],
        ]
        for arguments in runs {
            try await run(arguments, with: relctl)
            #expect(try recorded() == given, "\(arguments)")
        }
        try await run(["table", "get", "sample", "Deps"], with: try await copy("relctl"))
        #expect(try recorded("bin/relativityd-data") == given)
    }

    @Test("the server and the daemon of a sandbox do not get what relctl was started with")
    func sandbox() async throws {
        writeSpy()
        let script = "for pid in $(pgrep '^relativity'); do ls -l /proc/$pid/fd 2>/dev/null; done | grep -c '\(seven)'"
        let words = withSeven + [Products.path(of: "relctl"), "sandbox", "--", "sh", "-c", script]
        let output = try await Command(words, environment: deployment.environment).run()
        #expect(output.standardOutput == "0\n", "\(output)")
    }
}
