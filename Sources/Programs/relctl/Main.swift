// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Platform

@main
enum Main {
    static func main() {
        StandardDescriptors.ensureOpen()
        // A reader that goes away, as in `relctl watch | head`, is not a failure: writing says EPIPE instead.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Relctl.withFlagsBehindVerb(Array(CommandLine.arguments.dropFirst()))
        // It is asked at the start of many a script, and needs no tree of commands.
        if arguments == ["--version"] {
            Terminal.write("\(Relctl.configuration.version)\n")
            return
        }
        do {
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

    /// By the whole tree, which reads a word that is no verb as an argument too many, and helps with anything.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        if let unknown = UnknownVerb(arguments) { throw unknown.failure }
        return try Relctl.parseAsRoot(arguments)
    }

    /// A verb without a noun, parsed by itself: to make the whole tree of commands takes a tenth of what most verbs take.
    /// What is not understood here, and what asks for help, is for the tree, which knows what to say.
    private static func loneVerb(_ arguments: [String]) -> (any ParsableCommand)? {
        guard let word = arguments.first,
            let verb = Relctl.configuration.subcommands.first(where: { $0.isCalled(word) }),
            verb.configuration.subcommands.isEmpty,
            let command = try? verb.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == verb
        else { return nil }
        return command
    }
}
