// SPDX-License-Identifier: Apache-2.0

/// The way to the help of the verb that was entered.
struct VerbHelp {
    private static let nouns: Set<String> = [
        "endpoint", "server", "vault", "login", "adapter", "grant", "wire", "audit", "default",
    ]
    private static let innerNouns: Set<String> = ["slot"]

    let command: String

    /// - Parameter arguments: those after the program's name.
    init(_ arguments: some Sequence<String>) {
        var words = ["relctl"]
        for argument in arguments {
            guard !argument.hasPrefix("-") else { break }
            words.append(argument)
            let isNoun = words.count == 2 ? Self.nouns.contains(argument) : Self.innerNouns.contains(argument)
            if !isNoun { break }
        }
        command = words.joined(separator: " ") + " --help"
    }
}

extension Hint {
    /// The help of the verb of this process.
    static var helpOfVerb: Hint { Hint(command: VerbHelp(CommandLine.arguments.dropFirst()).command) }
}
