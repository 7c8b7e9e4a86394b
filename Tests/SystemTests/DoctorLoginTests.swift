// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite(
    "relctl doctor for a login that does not work",
    .enabled(
        if: Requirement.allMet([.program("script"), .program("openssl"), .program("python3")]),
        "needs script(1)"
    ),
    .timeLimit(.minutes(3))
)
struct DoctorLoginTests {
    private static let passphrase = Deployment.passphrase
    private static let login = "'\(Deployment.login)'"

    /// A fault, and the answers to the prompts of the command that fixes it.
    private struct Case {
        var fault: SeededFault
        /// The arguments of the doctor.
        var arguments: String
        var answers: [(prompt: String, line: String)] = []
        var status: Int32 = 0
    }

    private static let first = [
        Case(
            fault: SeededFault("there is no vault", "vault-closed"),
            arguments: "sample",
            answers: [
                ("vault? [", "passphrase"), ("passphrase: ", passphrase), ("again: ", passphrase), ("[Y/n]", "n"),
            ]
        ),
        Case(
            fault: SeededFault("there is no login", "login"),
            arguments: "sample",
            answers: [
                ("[y/N]", "y"), ("[y/N]", "y"), ("user: ", "simple"), ("none): ", "DASamples"), ("none): ", "Simple"),
                ("password: ", "simple"), ("again: ", "simple"),
            ]
        ),
        Case(
            fault: SeededFault("the vault is locked", "vault-closed", seed: "relctl vault lock"),
            arguments: "sample",
            answers: [("passphrase: ", passphrase)]
        ),
        Case(
            fault: SeededFault(
                "the vault is locked, and may have the login that is named",
                "vault-closed",
                seed: "relctl vault lock"
            ),
            arguments: "--login \(login)",
            answers: [("passphrase: ", passphrase)]
        ),
        Case(
            fault: SeededFault(
                "the server has refused the login",
                "login",
                seed: """
                    echo wrong | relctl login edit \(login) --password-stdin --no-test
                    ! relctl login test \(login)
                    """
            ),
            arguments: "sample",
            answers: [("password: ", "simple"), ("again: ", "simple")]
        ),
        Case(
            fault: SeededFault(
                "the password is wrong, and nobody has tried it",
                "login",
                seed: "echo wrong | relctl login edit \(login) --password-stdin --no-test"
            ),
            arguments: "--try --login \(login)",
            answers: [("password: ", "simple"), ("again: ", "simple")]
        ),
        Case(
            fault: SeededFault(
                "only grants lead to the server",
                "clients",
                seed: "relctl endpoint set sample --clients grants-only"
            ),
            arguments: "sample"
        ),
        Case(
            fault: SeededFault(
                "the default is a login that is not there",
                "default-login",
                seed: "umask 077; echo other >$XDG_STATE_HOME/relativityd/default-login"
            ),
            arguments: ""
        ),
        Case(
            fault: SeededFault(
                "the variable is a login that is not there",
                "default-login",
                shell: "export RELATIVITYD_LOGIN=gone"
            ),
            arguments: ""
        ),
    ]

    private static let last = [
        Case(
            fault: SeededFault(
                "the vault's file is open",
                "files",
                seed: "chmod 644 $XDG_DATA_HOME/relativityd/vault.rcv"
            ),
            arguments: ""
        ),
        Case(
            fault: SeededFault(
                "the vault's file is damaged",
                "vault",
                seed: """
                    file=$XDG_DATA_HOME/relativityd/vault.rcv; systemctl --user stop relativityd.service
                    printf x | dd of=$file bs=1 seek=100 conv=notrunc 2>/dev/null
                    systemctl --user start relativityd.service
                    """
            ),
            arguments: ""
        ),
        Case(
            fault: SeededFault("the vault is sealed", "vault-closed"),
            arguments: "sample",
            answers: [("passphrase: ", passphrase)],
            // The vault opens, and is an older one.
            status: 4
        ),
        Case(
            fault: SeededFault("the vault is older than", "vault"),
            arguments: "",
            answers: [("[y/N]", "y")]
        ),
    ]

    @Test("each fault of a login is found, and fixed by the command that the doctor names")
    func way() async throws {
        let machine = try DoctoredMachine(Deployment())
        let deployment = machine.deployment
        try await machine.run("systemctl --user start relativityd.service")
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        for item in Self.first { try await check(item, on: machine) }

        try await deployment.success("add", "plain", "https://localhost:\(server.port)/bin")
        let plain = SeededFault("https is spoken to a plain server", "reach")
        try await check(Case(fault: plain, arguments: "plain"), on: machine)

        let front = try await TLSFront(deployment, backend: server.port)
        try await deployment.success("add", "office", "https://127.0.0.1:\(front.port)/bin")
        let pin = try await deployment.fingerprint(of: "office")
        try await deployment.success("endpoint", "pin", "office", "--pin", pin)
        try await front.program.end()
        let other = try await TLSFront(deployment, backend: server.port, port: front.port)
        let changed = SeededFault("the server's key has changed", "identity")
        try await check(Case(fault: changed, arguments: "office", answers: [("[y/N]", "y")]), on: machine)
        try await other.program.end()
        try await withoutCommand(SeededFault("nothing listens there", "reach"), "office", on: machine)
        try await withoutCommand(SeededFault("there is no such server", "endpoint"), "nowhere", on: machine)

        for item in Self.last { try await check(item, on: machine) }
        // The doctor has sent a password only if --try was given.
        #expect(deployment.requests(of: "LoginService.LoginEx") == 6)
        try await server.program.end()
        try await machine.run("systemctl --user stop relativityd.service")
    }

    private func check(_ item: Case, on machine: DoctoredMachine) async throws {
        var machine = machine
        machine.arguments = item.arguments
        let fault = item.fault
        if !fault.seed.isEmpty { try await machine.run(fault.seed) }
        let finding = try await machine.finding(fault.check, fault)
        let command = try #require(try finding.optionalString("command"), "\(fault.name): \(finding)")
        if fault.shell.isEmpty { try await type(command, answering: item.answers, status: item.status, on: machine) }
        try await machine.awaitSilence(of: fault.check, fault, after: fault.shell.isEmpty ? "" : command)
    }

    /// Types the command like a user at a terminal.
    private func type(
        _ command: String,
        answering answers: [(prompt: String, line: String)],
        status: Int32,
        on machine: DoctoredMachine
    ) async throws {
        guard !answers.isEmpty else {
            try await machine.run(command)
            return
        }
        machine.deployment.home.write(Array(command.utf8), to: "typed")
        let terminal = try TerminalSession(
            ["sh", machine.deployment.home.path(of: "typed")],
            environment: machine.environment
        )
        for (prompt, line) in answers { try await terminal.answer(prompt, line) }
        let output = try await terminal.end()
        #expect(output.status == status, "\(command): \(output)")
    }

    /// A fault that can only be fixed on the server.
    private func withoutCommand(_ fault: SeededFault, _ arguments: String, on machine: DoctoredMachine) async throws {
        var machine = machine
        machine.arguments = arguments
        let finding = try await machine.finding(fault.check, fault)
        #expect(
            try finding.optionalString("command") == nil && finding.optionalString("remedy") != nil,
            "\(fault.name)"
        )
    }
}
