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
            var command = try verbAlone(arguments) ?? parsed(arguments)
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

    /// The command of a verb, parsed alone, because the tree of all commands takes longer to build than most of them take
    /// to run. Returns nil for errors and help, so that the command tree handles them.
    private static func verbAlone(_ arguments: [String]) -> (any ParsableCommand)? {
        let path = VerbPath(arguments)
        guard !path.words.isEmpty, path.command.configuration.subcommands.isEmpty,
            let command = try? path.command.parseAsRoot(Array(arguments.dropFirst(path.words.count))),
            type(of: command) == path.command
        else { return nil }
        return command
    }
}
