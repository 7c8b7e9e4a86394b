// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI

struct GrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Sockets for sandboxed programs, which permit only some calls: add, list, revoke.",
        subcommands: [Add.self, List.self, Revoke.self]
    )

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Create a socket that permits only some calls with a login.",
            discussion: """
                The socket has its own directory, which can be mounted into a sandbox. Any process that can reach the \
                socket can make these calls until the grant is revoked or expires, or the daemon stops.
                """
        )

        @OptionGroup var output: OutputOptions
        @OptionGroup var target: LoginTarget
        @Option(
            help: ArgumentHelp(
                "A service; by default the server's data service. Repeatable.",
                valueName: "name"
            )
        )
        var service: [String] = []
        @Option(help: ArgumentHelp("A method of these services. Repeatable.", valueName: "name"))
        var method: [String] = []
        @Flag(help: "Permit only calls that are known to be read-only.")
        var readOnly = false
        @Option(help: ArgumentHelp("Lifetime, such as 90s, 30m or 8h; 1 minute to 1 day.", valueName: "time"))
        var ttl = TimeSpan(seconds: 28_800)

        func validate() throws {
            if !(60...86_400).contains(ttl.seconds) { throw ValidationError("--ttl must be 1m to 24h") }
            if method.isEmpty, !readOnly { throw ValidationError("missing methods: use --method or --read-only") }
        }

        func run() throws {
            let call = BrokerAPI.AddGrantCall(
                endpoint: target.endpoint,
                login: target.login.name,
                preferredLogin: ChosenLogin.preferred,
                services: service,
                methods: method,
                readOnly: readOnly,
                ttlSeconds: ttl.seconds
            )
            let reply = try output.client().call(call, within: DaemonClient.interactive)
            let grant = reply.grant
            ChosenLogin(grant.login, reply.chosenBy)?.printNote(output.quiet)
            output.show(
                grant.json,
                else: Facts([
                    "grant": grant.id,
                    "directory": grant.directory,
                    "socket": grant.socketPath,
                    "endpoint": grant.endpointName,
                    "login": grant.login,
                    "services": grant.services.joined(separator: ", "),
                    "methods": grant.methods.joined(separator: ", ") + (grant.readOnly ? " (read-only)" : ""),
                ]).text
            )
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the grants.",
            aliases: ["ls"]
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let now = Int64(time(nil))
            let heading = ["ID", "LOGIN", "SERVICES", "METHODS", "READ-ONLY", "ENDS", "DIRECTORY"]
            let none = "no grants: relctl grant add ENDPOINT --read-only\n"
            try output.list(BrokerAPI.ListGrantsCall(), "grants", heading, none: none) { reply in
                reply.grants.map { grant in
                    [
                        grant.id, grant.login, grant.services.joined(separator: ","),
                        grant.methods.joined(separator: ","), grant.readOnly ? "yes" : "no",
                        "in \(PlainSpan(seconds: grant.expires - now))", grant.directory,
                    ]
                }
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke a grant: its socket and its connections are closed."
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "Grant ID.", completion: LiveNames.grants)
        var grant: String

        func run() throws {
            _ = try DaemonClient().call(BrokerAPI.RevokeGrantCall(grant: grant), within: .seconds(10))
            output.report(["grant": .string(grant)])
        }
    }
}
