// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint",
        abstract: "Servers: list, show, watch, add, remove, set.",
        subcommands: [
            ListCommand.self, ShowCommand.self, WatchCommand.self, AddCommand.self, Remove.self, Set.self,
        ]
    )

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a server that was added by hand, and what was set for it."
        )

        @Argument(help: "The id of an endpoint, or a name that only one has.")
        var endpoint: String

        func run() throws {
            _ = try DaemonClient().call(
                "org.relativityd.Registry.Remove",
                ["endpoint": .string(endpoint)],
                within: .seconds(10)
            )
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set what differs from Relativity's usual ways.",
            discussion:
                "For example for a custom Data Abstract server: --data-service NAME, then 'adapter open --anonymous'."
        )

        @OptionGroup var json: JSONOption
        @Argument(help: "The id of an endpoint, or a name that only one has.")
        var endpoint: String
        @Option(help: "http or https.")
        var scheme: String?
        @Option(help: "The dispatcher's path, usually /bin.")
        var path: String?
        @Option(help: "The name of the data service, usually DataService.")
        var dataService: String?
        @Option(help: "The name of the login service, usually LoginService.")
        var loginService: String?

        func run() throws {
            var parameters: JSONObject = ["endpoint": .string(endpoint)]
            parameters["scheme"] = scheme.map { .string($0) }
            parameters["path"] = path.map { .string($0) }
            parameters["dataService"] = dataService.map { .string($0) }
            parameters["loginService"] = loginService.map { .string($0) }
            let reply = try DaemonClient().call("org.relativityd.Registry.Set", parameters, within: .seconds(10))
            let record = try EndpointRecord(json: try reply.object("endpoint"))
            if json.isOn {
                JSONOption.write(.object(record.json))
            } else {
                Terminal.write(Columns([record.name, record.url, record.dataService, record.loginService]).text)
            }
        }
    }
}
