// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct EndpointExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a .relativityClient file for a server.",
        discussion:
            "It holds the server's name and address, and the domain and schema that are known. It holds no login."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "The file to write, which must not be there yet; standard output by default.")
    var out: String?

    func run() throws {
        let call = RegistryAPI.ExportCall(endpoint: endpoint)
        let content = try DaemonClient().call(call, within: .seconds(10)).content
        guard let out else {
            let shown = Terminal.outputIsTerminal ? PrintableText(content).text : content
            return output.show(["content": .string(content)], else: shown)
        }
        let file = try NewFile(out, mode: 0o644)
        do {
            try file.write(Array(content.utf8))
        } catch {
            file.remove()
            throw error
        }
        output.tell(["file": .string(out)])
    }
}
