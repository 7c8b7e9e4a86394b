// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

extension VaultCommand {
    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Take an older or forked vault file for the vault.",
            discussion: """
                Where the file is not the last one that was saved here, the vault is read-only and no login goes out. \
                If you put it back yourself, accept it; what was saved since is not in it.
                """
        )

        @OptionGroup var output: OutputOptions
        @Option(help: "The generation of the file, as 'relctl vault status' shows it.")
        var generation: Int64
        @Flag(name: .shortAndLong, help: "Do not ask.")
        var yes = false

        func run() throws {
            guard try yes || isAgreed(VaultCommand.status(DaemonClient())) else {
                throw Failure(.failed, "nothing was accepted")
            }
            let reply = try DaemonClient().call(
                CredentialsAPI.AcceptCall(generation: generation),
                within: DaemonClient.slow
            )
            VaultCommand.tell(reply.vault, output)
        }

        private func isAgreed(_ vault: CredentialsAPI.Vault) throws -> Bool {
            guard Terminal.inputIsTerminal else {
                throw Failure(.usage, "there is no terminal to ask on: --yes says that it is the right file")
            }
            let known = vault.anchor?.known.map { " The last one known here is \($0)." } ?? ""
            return Question.isYes("Take generation \(generation) for the vault?\(known)")
        }
    }
}
