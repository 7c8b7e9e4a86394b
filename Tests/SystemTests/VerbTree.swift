// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The verbs of relctl without subcommands, as the program itself lists them.
enum VerbTree {
    /// Each verb as it is typed after `relctl`, such as `vault slot add`.
    static func leaves() async throws -> [String] {
        let dump = try await Command([Products.path(of: "relctl"), "--experimental-dump-help"]).succeed()
        let root = try #require(try JSONValue(parsing: dump).objectValue).object("command")
        return try leaves(of: root, path: []).filter { $0 != "help" }
    }

    private static func leaves(of command: JSONObject, path: [String]) throws -> [String] {
        let verbs = (try? command.objects("subcommands")) ?? []
        guard !verbs.isEmpty else { return [path.joined(separator: " ")] }
        return try verbs.flatMap { try leaves(of: $0, path: path + [try $0.string("commandName")]) }
    }
}
