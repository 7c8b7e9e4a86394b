// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

/// What a login string says beyond user, password, domain and schema, and how it calls the user.
struct ExtraKeyOptions: ParsableArguments {
    @Option(help: "How the server calls the user in a login string: 'User Id' (the default) or 'User'.")
    var userKey: String?
    @Option(
        help: ArgumentHelp(
            "One more key of the login string, for servers that want one. No secret: other programs see it. Repeatable.",
            valueName: "key=value"
        )
    )
    var extra: [String] = []

    var isEmpty: Bool { userKey == nil && extra.isEmpty }

    func validate() throws {
        guard extra.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--extra takes KEY=VALUE") }
    }

    /// The keys that were given; nil without any.
    var extras: [CredentialsAPI.Extra]? {
        guard !extra.isEmpty else { return nil }
        return extra.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return CredentialsAPI.Extra(key: parts[0], value: parts[1])
        }
    }
}
