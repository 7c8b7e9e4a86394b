// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Whether the daemon may ask the user for what is missing.
struct InteractiveOption: ParsableArguments {
    @Flag(help: "Where a passphrase, login or password is missing, have the daemon ask for it in a prompt.")
    var interactive = false

    /// Says on standard error that what is asked is not asked here.
    func announce() {
        guard interactive else { return }
        Terminal.writeError("relctl: what is missing is asked for by a pinentry or a password agent, not here\n")
    }
}
