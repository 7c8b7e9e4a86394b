// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `--quiet`.
struct QuietOption: ParsableArguments {
    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "Print only what was asked for, and errors: no notes, and not what was done."
    )
    var isOn = false

    /// Says on standard error what else is worth knowing: whole lines.
    func note(_ text: String) {
        if !isOn { Terminal.writeError(text) }
    }
}
