// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Key slots on the command line", .timeLimit(.minutes(3)))
struct SlotTests {
    @Test("a script makes a vault with a recovery code in a file, and opens it with the code in any spelling")
    func recoveryCodeFile() async throws {
        let deployment = try await Deployment.running()
        let file = deployment.home.path(of: "code")
        let made = try await deployment.relctl(
            ["vault", "init", "--passphrase-stdin", "--recovery-code-file", file],
            input: Deployment.passphrase + "\n"
        )
        #expect(made.status == 0 && made.standardError.isEmpty, "\(made)")
        let code = TextFile.text(of: file).trimmingSuffix("\n")
        #expect(code.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}/) != nil)
        var facts = stat()
        #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(!made.standardOutput.contains(code))
        try await deployment.success("vault", "lock")

        let spoken = code.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")
        #expect(try await unlock(deployment, spoken).status == 0)
        let mistyped = try await unlock(deployment, code.dropLast() + (code.hasSuffix("0") ? "2" : "0"))
        #expect(mistyped.status == 64 && mistyped.standardError.contains("checksum"), "\(mistyped)")
        let wrong = try await unlock(deployment, "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-48WD")
        #expect(wrong.status == 7, "\(wrong)")
        #expect(try await deployment.success("vault", "status").contains("unlocked"))

        let again = try await deployment.relctl("vault", "init", "--recovery-code-file", file, "--passphrase-stdin")
        #expect(again.status == 1 && again.standardError.contains("already"), "\(again)")
        #expect(TextFile.text(of: file).trimmingSuffix("\n") == code)
    }

    @Test("an existing file for the code is not changed, and no vault is made")
    func existingFile() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        deployment.home.write(Array("mine".utf8), to: "code")
        let refused = try await deployment.relctl(
            ["vault", "init", "--passphrase-stdin", "--recovery-code-file", deployment.home.path(of: "code")],
            input: Deployment.passphrase + "\n"
        )
        #expect(refused.status == 1 && refused.standardError.contains("cannot be written"), "\(refused)")
        #expect(TextFile.text(of: deployment.home.path(of: "code")) == "mine")
        #expect(try await deployment.success("vault", "status").contains("absent"))
    }

    @Test("the file with a recovery code is removed if the daemon refuses the vault, and stays if that is unknown")
    func unknownOutcome() async throws {
        let refusal = #"{"error":"org.relativityd.Credentials.StoreBusy","parameters":{"message":"busy"}}"#
        for answer in [refusal, nil] {
            let deployment = Deployment()
            let daemon = try DaemonStandIn(at: deployment.socket, method: "Credentials.Init", answer: answer)
            defer { withExtendedLifetime(daemon) {} }
            let code = deployment.home.path(of: "code")
            let output = try await deployment.relctl(
                ["vault", "init", "--passphrase-stdin", "--recovery-code-file", code],
                input: Deployment.passphrase + "\n"
            )
            #expect(output.status != 0)
            #expect(TextFile.text(of: code).isEmpty == (answer != nil), "\(output)")
            #expect(output.standardError.contains("may contain a code of the vault") == (answer == nil), "\(output)")
        }
    }

    @Test("each refusal of a slot has its status and next command")
    func slots() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        #expect(try await deployment.relctl("vault", "slot", "list").status == 3)
        try await deployment.initialiseVault()
        try await deployment.success(
            ["vault", "slot", "add", "--provider", "passphrase", "--stdin", "--label", "two"],
            input: "second\n"
        )
        let file = ["vault", "slot", "add", "--provider", "key-file"]
        #expect(try await run(deployment, file).status == 64)
        #expect(try await run(deployment, file + ["--insecure-keyfile", "--label", "file"]).status == 0)
        try await refused(deployment, file + ["--insecure-keyfile"], 1, "relctl vault slot list")
        try await refused(
            deployment,
            ["vault", "slot", "add", "--provider", "recovery-code"],
            64,
            "relctl vault slot add --help"
        )

        let slots = try #require(try await deployment.json("vault", "slot", "list").arrayValue)
        let first = try #require(slots[0].objectValue).string("id")
        #expect(try await deployment.success("vault", "status").contains("\"file\", key-file: obfuscation only"))

        try await deployment.success("vault", "slot", "label", first, "desk")
        try await refused(deployment, ["vault", "slot", "label", "nothing", "x"], 11, "relctl vault slot list")
        try await deployment.success("vault", "slot", "label", "two", "desk")
        try await refused(deployment, ["vault", "slot", "remove", "desk"], 64, "relctl vault slot list")
        #expect(try await run(deployment, ["vault", "slot", "rewrap", first, "--stdin"], "wrong\n").status == 7)
        let second = try #require(slots[1].objectValue).string("id")
        try await deployment.success("vault", "slot", "remove", second)
        try await refused(deployment, ["vault", "slot", "remove", "desk"], 1, "relctl vault slot add")
        try await deployment.success("vault", "slot", "remove", "desk", "--force")
        try await refused(deployment, ["vault", "slot", "remove", "file", "--force"], 1, "relctl vault slot add")

        try await deployment.success("vault", "lock")
        try await refused(deployment, ["vault", "slot", "remove", "file"], 3, "relctl vault unlock")
        try await refused(deployment, ["vault", "unlock", "--passphrase-stdin"], 6, "--provider key-file", "x\n")
        try await deployment.success("vault", "unlock")
        try await daemon.end()

        try await deployment.startDaemon()
        #expect(try await deployment.success("vault", "status").contains("unlocked"))
        try await deployment.success("vault", "lock")
        for name in deployment.home.names(in: "state/relativityd") where name.hasSuffix(".key") {
            unlink(deployment.home.path(of: "state/relativityd/\(name)"))
        }
        try await refused(deployment, ["vault", "unlock"], 6, "relctl vault providers")
    }

    @Test("the providers are tried and listed, with the reason if one does not work")
    func providers() async throws {
        let deployment = try await Deployment.running()
        let providers = try #require(try await deployment.json("vault", "providers").arrayValue).compactMap(
            \.objectValue
        )
        let kinds = ["credentials-directory", "systemd-creds", "secret-service", "passphrase", "key-file"]
        #expect(try providers.map { try $0.string("kind") } == kinds)
        for provider in providers {
            #expect(try provider.bool("available") == (provider["reason"] == nil))
        }
        #expect(try providers.filter { try $0.bool("proposed") }.count == 1)
        #expect(try providers[0].object("reason").string("code") == "noDirectory")
        try await refused(deployment, ["vault", "init"], 64, "relctl vault providers")
        let missing = ["vault", "init", "--provider", "credentials-directory"]
        try await refused(deployment, missing, 6, "relctl vault providers")
        #expect(try await deployment.success("vault", "status").contains("absent"))
    }

    private func unlock(_ deployment: Deployment, _ code: some StringProtocol) async throws -> Command.Output {
        try await run(deployment, ["vault", "unlock", "--recovery-code", "--stdin"], "\(code)\n")
    }

    private func run(
        _ deployment: Deployment,
        _ arguments: [String],
        _ input: String = ""
    ) async throws -> Command.Output {
        try await Command([Products.path(of: "relctl")] + arguments, environment: deployment.environment).run(
            input: input
        )
    }

    /// Expects that the verb exits with this status and a hint.
    private func refused(
        _ deployment: Deployment,
        _ arguments: [String],
        _ status: Int32,
        _ next: String,
        _ input: String = ""
    ) async throws {
        let output = try await run(deployment, arguments, input)
        let hint = output.standardError.split(separator: "\n").first { $0.hasPrefix("relctl: hint: ") } ?? ""
        #expect(output.status == status && hint.contains(next), "\(arguments): \(output)")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
