// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LocalAPI
import Platform

@main
enum Main {
    static func main() {
        StandardDescriptors.ensureOpen()
        ParentProcess.follow()
        ProgramArguments.requireReadable()
        // A closed pipe, as in `relctl watch | head`, is not a failure: write(2) returns EPIPE instead.
        signal(SIGPIPE, SIG_IGN)
        if let failure = ArgumentText.failure { Failure.report(failure) }
        // Answered early because scripts often call it: the command tree need not be built.
        let words = Array(CommandLine.arguments.dropFirst())
        if let text = Relctl.contents.answer(to: words) { return Terminal.write(text) }
        let arguments = Relctl.withFlagsAfterVerb(words)
        if let script = CompletionScript(arguments) {
            Terminal.write(script.text + "\n")
            return
        }
        do {
            try Directories.checkHome(.ofProcess())
            var command = try loneVerb(arguments) ?? parsed(arguments)
            do {
                try command.run()
            } catch let error where Failure(error)?.status == .vaultLocked {
                guard try LockedVault.unlockInPlace(for: arguments) else { throw error }
                try command.run()
            }
        } catch {
            Failure.report(error)
        }
    }

    /// Parses with the complete command tree, which reports errors and prints help.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        if let unknown = UnknownVerb(arguments) { throw unknown.failure }
        return try Relctl.parseAsRoot(arguments)
    }

    /// A verb without a noun, parsed alone, because building the command tree takes a tenth of the time of most
    /// commands. Returns nil for errors and help, so that the command tree handles them.
    private static func loneVerb(_ arguments: [String]) -> (any ParsableCommand)? {
        guard let word = arguments.first,
            let verb = Relctl.configuration.subcommands.first(where: { $0.isCalled(word) }),
            verb.configuration.subcommands.isEmpty,
            let command = try? verb.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == verb
        else { return nil }
        return command
    }
}
