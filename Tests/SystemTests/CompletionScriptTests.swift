// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import relctl

@Suite("The completion script")
struct CompletionScriptTests {
    @Test(
        "it has every short name of a verb, and another function calls the generated one",
        arguments: ["bash", "zsh"]
    )
    func additions(shell: String) throws {
        let text = try #require(CompletionScript(["--generate-completion-script", shell])).text
        for (words, name) in Self.aliases(of: Relctl.self, at: "") {
            #expect(text.contains("'\(words)') canonical='\(name)' ;;"), "\(words)")
        }
        #expect(text.split(separator: "\n").count { $0 == "_relctl() {" || $0 == "__relctl_offer() {" } == 2)
        #expect(text.contains("''|' endpoint'|' vault'|' vault slot'|"))
    }

    @Test("fish reads the names of verbs instead of short ones")
    func fish() throws {
        let text = try #require(CompletionScript(["--generate-completion-script=fish"])).text
        for (words, name) in Self.aliases(of: Relctl.self, at: "") {
            #expect(text.contains("case '\(words)'\n                    set token '\(name)'\n"), "\(words)")
        }
        #expect(text.contains("\nfunction __relctl_parse_tokens -S\n    set -l unparsed_tokens (__relctl_canonical ("))
    }

    @Test(
        "what asks for no script, or for that of another shell, is left to the parser",
        arguments: [
            [], ["list"], ["--generate-completion-script", "csh"], ["--generate-completion-script", "zsh", "x"],
        ]
    )
    func others(arguments: [String]) {
        #expect(CompletionScript(arguments) == nil)
    }

    private static func aliases(of command: any ParsableCommand.Type, at path: String) -> [(String, String)] {
        command.configuration.subcommands.flatMap { verb in
            verb.configuration.aliases.map { ("\(path) \($0)", verb._commandName) }
                + aliases(of: verb, at: "\(path) \(verb._commandName)")
        }
    }
}
