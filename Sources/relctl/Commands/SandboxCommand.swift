// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

struct SandboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a program beside a daemon, a vault and a sample server of its own.",
        discussion: """
            For the tests of tools: they need no server, no login and no setting up, and touch nothing of the user's. The \
            program, and relctl in it, reach the daemon through RELATIVITYD_SOCKET. The sample server is in its list as \
            'sample', with a login of the same name, which RELATIVITYD_LOGIN makes the default. All of it ends with the \
            program. It divides nothing from anything: the program can reach whatever the user can.
            """
    )

    @Argument(parsing: .postTerminator, help: "The program and its arguments, behind '--'.")
    var program: [String] = []

    func validate() throws {
        if program.isEmpty { throw ValidationError("name a program behind '--'") }
    }

    func run() throws {
        // One that comes before the program runs is passed on to it: nothing is left behind half made.
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
