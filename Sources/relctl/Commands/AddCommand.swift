// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a server by hand.",
        discussion: """
            A host or address is completed to http://HOST:7099/bin; a full URL is taken as it is, so that one without a \
            port means port 80 or 443.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "What to call it.")
    var name: String
    @Argument(help: "A host, HOST:PORT or full URL.")
    var address: String

    func run() throws {
        let call = RegistryAPI.AddCall(name: name, address: address)
        let endpoint = try DaemonClient().call(call, within: .seconds(10)).endpoint
        output.tell(endpoint.json, else: Columns(["added", endpoint.name, endpoint.url, endpoint.id]).text)
        for note in [
            MissingPort(in: address, port: endpoint.port)?.text, Disagreement(EndpointSummary(endpoint))?.text,
        ] {
            if let note { output.note(note) }
        }
    }
}
