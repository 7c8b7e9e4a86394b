// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI

struct GrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Sockets for sandboxes, which let only some calls through: add, list, revoke.",
        subcommands: [Add.self, List.self, Revoke.self]
    )

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a socket that lets some calls of a login through, and nothing else.",
            discussion: """
                The socket is in a directory of its own: mount that into a sandbox. Whoever can reach it may make these \
                calls until the grant is revoked, its time is over, or the daemon ends.
                """
        )

        @OptionGroup var output: OutputOptions
        @Option(help: "The name of a login.", completion: LiveNames.logins)
        var login: String
        @Option(
            help: ArgumentHelp(
                "A service, by default the server's data service. May be given several times.",
                valueName: "name"
            )
        )
        var service: [String] = []
        @Option(help: ArgumentHelp("A method of these services. May be given several times.", valueName: "name"))
        var method: [String] = []
        @Flag(help: "Let only those calls through that are known to read.")
        var readOnly = false
        @Option(help: ArgumentHelp("How long it lives: 90s, 30m, 8h; a minute to a day.", valueName: "time"))
        var ttl = TimeSpan(seconds: 28_800)

        func validate() throws {
            if !(60...86_400).contains(ttl.seconds) { throw ValidationError("--ttl is a minute to a day") }
            if method.isEmpty, !readOnly { throw ValidationError("name methods with --method, or give --read-only") }
        }

        func run() throws {
            let call = BrokerAPI.AddGrantCall(
                login: login,
                services: service,
                methods: method,
                readOnly: readOnly,
                ttlSeconds: ttl.seconds
            )
            let grant = try output.client().call(call, within: DaemonClient.ofPerson).grant
            output.show(
                grant.json,
                else: Facts([
                    "grant": grant.id,
                    "directory": grant.directory,
                    "socket": grant.socketPath,
                    "endpoint": grant.endpointName,
                    "login": grant.login,
                    "services": grant.services.joined(separator: ", "),
                    "methods": grant.methods.joined(separator: ", ") + (grant.readOnly ? " (reading only)" : ""),
                ]).text
            )
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the grants.", aliases: ["ls"])

        @OptionGroup var output: OutputOptions

        func run() throws {
            let object = try DaemonClient().json(BrokerAPI.ListGrantsCall())
            if output.isJSON { return JSONOption.write(try object.only("grants")) }
            let reply = try BrokerAPI.ListGrantsReply(json: object)
            let now = Int64(time(nil))
            let rows = reply.grants.map { grant in
                [
                    grant.id, grant.login, grant.services.joined(separator: ","), grant.methods.joined(separator: ","),
                    grant.readOnly ? "yes" : "no", "in \(PlainSpan(seconds: grant.expires - now))", grant.directory,
                ]
            }
            guard !rows.isEmpty else {
                output.note("no grants: relctl grant add --login LOGIN --read-only\n")
                return
            }
            Terminal.write(
                Table(["ID", "LOGIN", "SERVICES", "METHODS", "READS ONLY", "ENDS", "DIRECTORY"], rows).text
            )
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a grant back: its socket goes, and its connections."
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The id of a grant.", completion: LiveNames.grants)
        var grant: String

        func run() throws {
            _ = try DaemonClient().call(
                BrokerAPI.RevokeGrantCall(grant: grant),
                within: .seconds(10)
            )
            output.tell(["grant": .string(grant)])
        }
    }
}
