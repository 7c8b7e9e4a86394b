// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct EndpointRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a server that was added another name."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id or name of a server.", completion: LiveNames.endpoints)
    var endpoint: String
    @Argument(help: "Its new name.")
    var newName: String

    func run() throws {
        let call = RegistryAPI.SetCall(endpoint: endpoint, name: newName)
        let renamed = try DaemonClient().call(call, within: .seconds(10)).endpoint
        output.tell(renamed.json, else: Columns(["renamed", renamed.name, renamed.url, renamed.id]).text)
    }
}
