// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import TestSupport
import Testing

@testable import relctl

@Suite struct UnknownVerbTests {
    @Test(
        "an unknown verb is named, and the hint has the most similar one",
        arguments: [
            ("lst", "relctl list --help"), ("statsu", "relctl status --help"),
            ("endpoint lst --json", "relctl endpoint list --help"),
            ("vault slot ad", "relctl vault slot add --help"), ("help vualt", "relctl vault --help"),
            ("help nosuch", "relctl --help"), ("nosuch", "relctl --help"),
            ("login frobnicate x", "relctl login --help"),
            ("help login ad", "relctl login add --help"),
        ]
    )
    func unknown(line: String, hint: String) throws {
        let failure = try #require(UnknownVerb(line.split(separator: " ").map(String.init))?.failure)
        #expect(failure.status == .usage && failure.hint?.command == hint)
        #expect(failure.message.contains("unknown command '"))
    }

    @Test(
        "known verbs and their arguments are not reported",
        arguments: [
            "", "list", "endpoint", "endpoint list", "endpoint show x y", "--help", "help", "help login add",
            "login help", "ls", "logs -f", "server ls", "server rm x", "rm x", "rename x y", "login ls", "login rm x",
            "adapter ls", "grant ls", "vault slot ls", "vault slot rm x",
        ]
    )
    func known(line: String) {
        #expect(UnknownVerb(line.split(separator: " ").map(String.init)) == nil)
    }

    @Test(
        "options of every verb may precede it",
        arguments: [
            ("--json list", "list --json"), ("-q --json vault slot list x", "vault slot list -q --json x"),
            ("--json adapter run -- a --json", "adapter run --json -- a --json"), ("list --json", "list --json"),
            ("--json", "--json"), ("--json nosuch", "--json nosuch"), ("--version", "--version"), ("", ""),
        ]
    )
    func flags(line: String, moved: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(Relctl.withFlagsAfterVerb(words) == moved.split(separator: " ").map(String.init))
    }

    @Test("help for an unknown topic is a usage error")
    func help() async throws {
        let output = try await Command([Products.path(of: "relctl"), "help", "nosuch"]).run()
        #expect(output.status == 64 && output.standardOutput.isEmpty, "\(output)")
        #expect(output.standardError.hasPrefix("relctl: error: unknown command 'nosuch'"), "\(output)")
    }
}
