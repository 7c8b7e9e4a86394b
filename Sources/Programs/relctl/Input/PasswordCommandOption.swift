// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

/// The option for a command that prints the password of a login.
struct PasswordCommandOption: ParsableArguments {
    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "A program that prints the password at each login, with its arguments: the rest of the command line.",
            valueName: "command"
        )
    )
    var passwordCommand: [String] = []

    /// An empty variable of a shell leaves no words.
    func validate() throws {
        guard passwordCommand.isEmpty, CommandLine.arguments.last == "--password-command" else { return }
        throw ValidationError("--password-command is followed by a program and its arguments")
    }

    var command: [String]? { passwordCommand.isEmpty ? nil : passwordCommand }

    /// Makes a call in which the daemon shows the command to the user.
    func calling<Reply>(_ output: OutputOptions, _ body: (DaemonClient) throws -> Reply) throws -> Reply {
        InteractiveOption.notePromptsElsewhere()
        do {
            return try body(try output.client("waiting for the prompt"))
        } catch let error as DaemonError where error.code == .passwordCommandNotAgreed {
            // The login may not exist yet, and another try may be all that is needed.
            throw Failure(ExitStatus(error.code), error.message, hint: "relctl login add --help")
        } catch let error as DaemonError where error.code == .passwordCommandFailed {
            // The hint of the error shows the login, which does not exist or has another command.
            throw Failure(ExitStatus(error.code), error.message)
        }
    }

    /// A command as one printable line.
    static func text(_ command: [String]) -> String { command.map(ShellWord.quote).joined(separator: " ") }

    static func noteAgreement(to login: String, _ output: OutputOptions) {
        let hint: Hint = "relctl login edit \(login) --agree-command"
        output.note("before its password command runs, agree to it: \(hint.command)\n")
    }
}
