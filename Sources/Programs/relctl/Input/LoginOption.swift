// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option `--login` of commands that use a server.
struct LoginOption: ParsableArguments {
    @Option(
        name: .customLong("login"),
        help: "Login name; by default that of RELATIVITYD_LOGIN, the default, or the only one.",
        completion: LiveNames.logins
    )
    var name: String?
}
