// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

struct SandboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a program with a separate daemon, vault and sample server.",
        discussion: """
            For testing tools without a server, a login or configuration, and without using the user's vault. The \
            program, and relctl in it, find the daemon through RELATIVITYD_SOCKET. The sample server is in its list as \
            'sample', with a login of the same name, which RELATIVITYD_LOGIN makes the default. Everything is removed \
            when the program exits. This is not a security boundary: the program can access everything that the user \
            can.
            """
    )

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after '--'.")
    var program: [String] = []

    func validate() throws {
        if program.isEmpty { throw ValidationError("missing program after '--'") }
    }

    func run() throws {
        // Signals that arrive before the program runs are forwarded to it, so that the sandbox is always removed.
        RunningProgram.holdSignals()
        let sandbox = try Sandbox()
        setenv("RELATIVITYD_SOCKET", sandbox.socket, 1)
        let running = Result {
            try RunningProgram(program, variables: [(ChosenLogin.Chooser.environment.rawValue, Sandbox.name)])
        }
        let status = running.map { $0.waitForEnd() }
        sandbox.end()
        do {
            Glibc.exit(try status.get())
        } catch let error as ProgramNotStarted {
            error.report()
        }
    }
}
