// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what the daemon is doing, and what hinders it."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let object = try DaemonClient().json(ManagerAPI.GetStatusCall()).object("status")
        if output.isJSON { return JSONOption.write(object) }
        let status = try ManagerAPI.Status(json: object)
        Terminal.write(
            Facts([
                "daemon":
                    "relativityd \(status.version), pid \(status.pid), up \(PlainSpan(seconds: status.uptimeSeconds))",
                "interfaces": status.multicastInterfaces.isEmpty
                    ? "none that can hear announcements" : status.multicastInterfaces.joined(separator: ", "),
                "endpoints": "\(status.endpoints)",
                "limits": LimitsMet(status).text,
                "vault": StateWord(status.vault.rawValue),
                "logins": status.logins.map { "\($0)" },
                "sessions": "\(status.sessions)",
                "adapters": "\(status.adapters)",
            ]).adding("discovery", status.sources.map(Self.text)).text
        )
        for note in status.notes { Terminal.write("note: \(note.text)\n") }
    }

    private static func text(_ source: ManagerAPI.Source) -> Printable {
        guard source.state == .up else {
            return Printable(again: "\(Printable(source.name)) down: \(source.reason)")
        }
        let heard =
            source.heardSecondsAgo.map { "heard a server \(PlainSpan(seconds: $0)) ago" } ?? "heard no server yet"
        return Printable("\(source.name) up for \(PlainSpan(seconds: source.upSeconds ?? 0)), \(heard)")
    }
}
