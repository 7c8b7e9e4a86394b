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

    @OptionGroup var json: JSONOption

    func run() throws {
        let providers = try Self.providers()
        if json.isOn {
            JSONOption.write(.array(providers.map { .object($0.json) }))
        } else {
            Terminal.write(Self.table(providers))
        }
    }

    static func providers() throws -> [ProviderRecord] {
        let reply = try DaemonClient.patient().call(
            "org.relativityd.Credentials.ListProviders",
            within: DaemonClient.slow
        )
        return try reply.objects("providers").map { try ProviderRecord(json: $0) }
    }

    static func table(_ providers: [ProviderRecord]) -> String {
        let rows = providers.map { provider in
            [
                provider.kind + (provider.proposed ? " *" : ""), provider.available ? "yes" : "no",
                provider.reason ?? provider.strength,
            ]
        }
        return Table(["PROVIDER", "WORKS", "STRENGTH, OR WHY NOT"], rows).text
    }
}
