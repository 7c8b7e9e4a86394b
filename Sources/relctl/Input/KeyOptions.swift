// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options of the verbs that make a key slot.
struct KeyOptions: ParsableArguments {
    @Option(help: "What opens the vault.")
    var provider: ProviderName?
    @Option(help: "A name for the slot.")
    var label: String?
    @Flag(help: "Accept that a key file only hides the key: whoever has the disk has the key.")
    var insecureKeyfile = false

    func validate() throws {
        if provider == .keyFile, !insecureKeyfile {
            throw ValidationError("a key file protects nothing from a thief with the disk: say --insecure-keyfile too")
        }
    }
}
