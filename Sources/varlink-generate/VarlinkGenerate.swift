// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Varlink

@main
struct VarlinkGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "varlink-generate",
        abstract: "Reads a Varlink interface definition from standard input and writes Swift code.",
        subcommands: [Types.self, Server.self]
    )

    struct Source: ParsableArguments {
        @Option(help: "The Swift enum that holds the types, such as RegistryAPI.")
        var namespace: String

        /// - Returns: the text of the interface definition, what it says, and the names for it.
        func read() throws -> (text: String, description: VarlinkDescription, names: InterfaceNames) {
            var text = ""
            while let line = readLine(strippingNewline: false) { text += line }
            let description = try VarlinkDescription(parsing: text)
            return (text, description, try InterfaceNames(description, namespace: namespace))
        }
    }

    struct Types: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the types: parameters, replies and errors. They need the modules JSON and Varlink."
        )

        enum Access: String, CaseIterable, ExpressibleByArgument {
            case `public`, `package`, `internal`
        }

        @OptionGroup var source: Source

        @Option(help: "The access level of the types.")
        var access = Access.public

        func run() throws {
            let (text, description, names) = try source.read()
            let file = TypesFile(description: description, names: names, definition: text, access: access.rawValue)
            print(try file.text(), terminator: "")
        }
    }

    struct Server: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the protocol that a server implements. It needs the modules Varlink and VarlinkService."
        )

        @OptionGroup var source: Source

        @Option(help: "The module with the types, if it is another one.")
        var module: String?

        func run() throws {
            let (_, description, names) = try source.read()
            print(ServerFile(description: description, names: names, module: module).text(), terminator: "")
        }
    }
}
