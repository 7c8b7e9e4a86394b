// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the servers.",
        discussion: "Hidden servers are left out, but not with --json.",
        aliases: ["ls"]
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Hidden servers too.")
    var all = false

    func run() throws {
        let client = try DaemonClient()
        let reply = try client.json(
            RegistryAPI.ListCall(),
            onlyMembers: output.isJSON ? nil : EndpointSummary.members
        )
        if output.isJSON { return JSONOption.write(try reply.only("endpoints")) }
        let endpoints = try reply.objects("endpoints").map { try EndpointSummary(json: $0) }
        let status = try client.call(ManagerAPI.GetStatusCall()).status
        guard !endpoints.isEmpty else { return output.note(EmptyList(status).text) }
        if let note = FailedDiscovery(status)?.text { output.note(note) }
        let shown = all ? endpoints : endpoints.filter { !$0.hidden }
        if !shown.isEmpty { Terminal.write(table(shown).text) }
        if Terminal.errorIsTerminal {
            for note in shown.compactMap({ Disagreement($0) }) { output.note(note.text) }
        }
        let hidden = endpoints.count - shown.count
        if shown.isEmpty {
            output.note("no servers but \(hidden) hidden: relctl list --all\n")
        } else if hidden > 0, Terminal.errorIsTerminal {
            output.note("\(hidden) hidden: relctl list --all\n")
        }
    }

    private func table(_ endpoints: [EndpointSummary]) -> Table {
        let rows = endpoints.map { endpoint in
            [endpoint.name, endpoint.state.rawValue, endpoint.origin.rawValue]
                + (all ? [endpoint.hidden ? "yes" : "no"] : []) + [endpoint.url, endpoint.id]
        }
        return Table(
            ["NAME", "STATE", "ORIGIN"] + (all ? ["HIDDEN"] : []) + ["URL", "ID"],
            rows,
            cutting: ["NAME", "URL"],
            to: Terminal.outputColumns
        )
    }
}
