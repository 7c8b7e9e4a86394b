// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let a program with a language model read tables (Model Context Protocol).",
        discussion: """
            Serves one client on standard input and output, which starts relctl itself: 'relctl mcp config office' \
            prints the entry for its configuration. The client gets tools to list and describe tables, to read and count \
            rows, and to run a SELECT statement, for these servers only. With --edits it may also stage changes, in a \
            file that a person applies: relctl table apply SERVER --pending FILE. There is no tool that changes a server.
            """,
        subcommands: [Serve.self, Config.self],
        defaultSubcommand: Serve.self
    )

    /// The servers of a client, and how to reach them.
    struct Servers: ParsableArguments {
        @Argument(help: "Endpoint ID or unique name, or LOGIN@ENDPOINT.", completion: LiveNames.endpoints)
        var servers: [String]
        @Flag(help: "Let the client stage changes for a person to apply.")
        var edits = false
        @OptionGroup var connection: DataConnection

        /// The options of the connection, as arguments of another command.
        var options: [String] {
            var words: [String] = []
            if let login = connection.login { words.append("--login=\(login)") }
            if connection.anonymous { words.append("--anonymous") }
            if let grant = connection.grant { words.append("--grant=\(grant)") }
            if let schema = connection.schema { words.append("--schema=\(schema)") }
            if let service = connection.service { words.append("--service=\(service)") }
            if connection.timeout.seconds != DataConnection.usualTimeout.seconds {
                words.append("--timeout=\(connection.timeout.seconds)s")
            }
            if connection.verbose { words.append("--verbose") }
            return words
        }

        /// Checks the names of the servers, as far as the daemon knows now. What else may be wrong, such as a locked vault,
        /// can be right when a call needs it.
        ///
        /// - Throws: `DaemonError` for a server that is not in the list.
        func checkNames() throws {
            guard connection.grant == nil else { return }
            for server in servers {
                do {
                    let login = connection.login
                    let call = BrokerAPI.ChooseCall(
                        endpoint: server,
                        login: login,
                        preferredLogin: ChosenLogin.preferred
                    )
                    _ = try DaemonClient().call(call)
                } catch let error as DaemonError
                    where [.endpointNotFound, .endpointAmbiguous, .loginUnclear, .loginElsewhere].contains(error.code)
                {
                    throw error
                } catch is DaemonError {
                } catch is VarlinkClientError {
                }
            }
        }

        func validate() throws {
            if Set(servers).count < servers.count { throw ValidationError("a server is named twice") }
            if connection.grant != nil, servers.count > 1 {
                throw ValidationError("--grant is for one server")
            }
        }
    }

    struct Serve: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serve one client on standard input and output."
        )

        @OptionGroup var target: Servers

        func run() throws {
            guard !Terminal.inputIsTerminal else {
                throw Failure(
                    .usage,
                    "an MCP client starts this command itself",
                    hint: "relctl mcp --help"
                )
            }
            try target.checkNames()
            // It may be inherited as ignored, and the status of a command would not be known.
            signal(SIGCHLD, SIG_DFL)
            let directory = target.edits ? try Directories(.ofProcess()).state + "/mcp" : nil
            if let directory { try ProtectedDirectory.create(directory) }
            var loop = try MCPLoop(
                MCPSession(servers: target.servers, options: target.options, pendingDirectory: directory)
            )
            try loop.run()
        }
    }

    struct Config: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "config",
            abstract: "Print the entry for the configuration of a client, as most of them read it."
        )

        @OptionGroup var target: Servers

        func run() throws {
            try target.checkNames()
            let words =
                ["mcp"] + target.options + (target.edits ? ["--edits"] : []) + ["--"] + target.servers
            let entry: JSONObject = [
                "command": .string(HelperProgram.path(beside: "relctl")), "args": .array(words.map { .string($0) }),
            ]
            Terminal.write(JSONValue.object(["mcpServers": ["relativity": .object(entry)]]).prettyText + "\n")
        }
    }
}
