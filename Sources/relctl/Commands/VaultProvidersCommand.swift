// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct VaultProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Try the key providers, and show which work here.",
        discussion: "The one that 'relctl vault init' proposes is marked with a star."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let providers = try Self.providers(output)
        output.show(["providers": .array(providers.map { .object($0.json) })], else: Self.table(providers))
    }

    static func providers(_ output: OutputOptions) throws -> [CredentialsAPI.Provider] {
        try output.client().call(CredentialsAPI.ListProvidersCall(), within: DaemonClient.slow).providers
    }

    static func table(_ providers: [CredentialsAPI.Provider], _ style: Style = .ofOutput) -> String {
        let rows = providers.map { provider in
            [
                provider.kind + (provider.proposed ? " *" : ""), provider.available ? "yes" : "no",
                provider.reason ?? provider.strength,
            ]
        }
        return Table(["PROVIDER", "WORKS", "STRENGTH, OR WHY NOT"], rows, style).text
    }
}
