// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct EndpointHideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Leave a server out of list and watch.",
        discussion: "It works as before, under its name too. 'list --all' shows it."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws { try RegistryAPI.Endpoint.setHidden(endpoint, true, output) }
}

struct EndpointUnhideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide",
        abstract: "Show a server again that was hidden."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws { try RegistryAPI.Endpoint.setHidden(endpoint, false, output) }
}

extension RegistryAPI.Endpoint {
    fileprivate static func setHidden(_ endpoint: String, _ isHidden: Bool, _ output: OutputOptions) throws {
        let call = RegistryAPI.SetCall(endpoint: endpoint, hidden: isHidden)
        let endpoint = try DaemonClient().call(call, within: .seconds(10)).endpoint
        output.tell(endpoint.json)
    }
}
