// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Varlink

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the servers and then every change, until interrupted.",
        discussion: """
            With an endpoint only that one, which is then probed more often. With --json each line is one object: first a \
            snapshot, then changes with the revision they led to.
            """
    )

    @OptionGroup var json: JSONOption
    @Argument(help: "The id of an endpoint, or a name that only one has; without one, all.")
    var endpoint: String?

    func run() throws {
        var parameters = JSONObject()
        parameters["endpoint"] = endpoint.map { .string($0) }
        try DaemonClient().stream("org.relativityd.Registry.Watch", parameters, output: STDOUT_FILENO) { update in
            if json.isOn {
                JSONOption.write(.object(update))
            } else {
                try Self.show(update)
            }
            return .next
        }
    }

    private static func show(_ update: JSONObject) throws {
        let kind = try update.string("kind")
        let objects =
            kind == "snapshot" ? try update.objects("endpoints") : [try update.object("endpoint")]
        let lines = try objects.map { object in
            let endpoint = try EndpointRecord(json: object)
            return Columns([
                kind == "snapshot" ? "present" : kind, endpoint.name, endpoint.state.rawValue, endpoint.url,
            ])
        }
        Terminal.write(lines.map(\.text).joined())
    }
}
