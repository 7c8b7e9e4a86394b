// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

struct SandboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a program with a separate daemon, vault, Data API and sample servers.",
        discussion: """
            For testing tools without a server, a login or configuration, and without using those of the user. The \
            program, and relctl and the Python package in it, find the sandbox through variables RELATIVITYD_*; HOME \
            and the variables XDG_* remain those of the user. The server is in the list as 'sample', others as \
            'sample2' and so on, each with a login of the same name. RELATIVITYD_LOGIN makes the first one the \
            default. The daemon finds no server on the network and connects to this machine only. Files of databases \
            are not changed. Everything is removed when the program exits. This is not a security boundary: the \
            program can access everything that the user can.

            Example: relctl sandbox --user Data --schema PCTrade -- pytest
            """
    )

    @OptionGroup var options: SandboxOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after '--'.")
    var program: [String] = []

    func validate() throws {
        if program.isEmpty { throw ValidationError("missing program after '--'") }
    }

    func run() throws {
        // relctl may have inherited SIG_IGN, with which the ends of the sandbox's programs are not reported.
        signal(SIGCHLD, SIG_DFL)
        // Signals that arrive before the program runs are forwarded to it, so that the sandbox is always removed.
        RunningProgram.holdSignals()
        let sandbox = try Sandbox(options.planned, options.wish)
        let running = Result { try RunningProgram(program, variables: sandbox.variables) }
        let status = running.map { $0.waitForEnd() }
        sandbox.end()
        do {
            Glibc.exit(try status.get())
        } catch let error as ProgramNotStarted {
            error.report()
        }
    }
}
