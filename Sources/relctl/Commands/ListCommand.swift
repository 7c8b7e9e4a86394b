// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all servers.")

    @OptionGroup var json: JSONOption

    func run() throws {
        let client = try DaemonClient()
        let reply = try client.call("org.relativityd.Registry.List", within: DaemonClient.quick)
        if json.isOn {
            JSONOption.write(.array(try reply.array("endpoints")))
            return
        }
        let endpoints = try reply.objects("endpoints").map { try EndpointRecord(json: $0) }
        guard !endpoints.isEmpty else {
            let status = try StatusRecord(json: try client.call("org.relativityd.Manager.GetStatus").object("status"))
            Terminal.writeError(EmptyList(status).text)
            return
        }
        let rows = endpoints.map { [$0.name, $0.state.rawValue, $0.origin.rawValue, $0.url, $0.id] }
        Terminal.write(Table(["NAME", "STATE", "ORIGIN", "URL", "ID"], rows).text)
    }
}
