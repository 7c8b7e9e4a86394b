// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

extension VaultCommand {
    struct Upgrade: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "upgrade",
            abstract: "Bring the vault's file to the newest format.",
            discussion: "There is one format so far, 1.0: nothing is changed, and a file of a later one is an error."
        )

        @OptionGroup var json: JSONOption

        func run() throws {
            let reply = try DaemonClient().call("org.relativityd.Credentials.Upgrade", within: DaemonClient.slow)
            let vault = try VaultRecord(json: try reply.object("vault"))
            if json.isOn {
                JSONOption.write(.object(vault.json))
            } else {
                Terminal.write("the vault is already at format \(vault.format ?? "1.0")\n")
            }
        }
    }
}
