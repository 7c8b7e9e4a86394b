// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Varlink

@main
struct VarlinkGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "varlink-generate",
        abstract: "Reads Varlink interface definitions and writes Swift code.",
        subcommands: [Types.self, Shared.self, Server.self, Errors.self]
    )

    enum Access: String, CaseIterable, ExpressibleByArgument {
        case `public`, `package`, `internal`
    }

    struct Interface: ExpressibleByArgument {
        let namespace: String
        let path: String

        init?(argument: String) {
            guard let sign = argument.firstIndex(of: "=") else { return nil }
            namespace = String(argument[..<sign])
            path = String(argument[argument.index(after: sign)...])
        }
    }

    struct Source: ParsableArguments {
        @Option(help: "The Swift enum that holds the types, such as RegistryAPI.")
        var namespace: String

        /// Reads the interface definition.
        ///
        /// - Returns: the parsed description, and the names for it.
        func read(
            _ shared: SharedTypes = SharedTypes()
        ) throws -> (description: VarlinkDescription, names: InterfaceNames) {
            var text = ""
            while let line = readLine(strippingNewline: false) { text += line }
            let description = try VarlinkDescription(parsing: text)
            return (description, try InterfaceNames(description, namespace: namespace, shared: shared))
        }
    }

    struct Types: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the types of parameters and replies. They need the modules JSON and Varlink.",
            discussion: "The definition comes from standard input."
        )

        @OptionGroup var source: Source

        @Option(help: "The access level of the types.")
        var access = Access.public

        @Option(name: .customLong("in"), help: "The module that the file becomes part of, if it is one of those.")
        var home: String?

        @Option(help: "A list of types that are in another module: lines of INTERFACE.TYPE and NAME.")
        var shared: SharedTypes = SharedTypes()

        @Option(help: "That module.")
        var sharedModule: String?

        func run() throws {
            let (description, names) = try source.read(shared)
            let file = TypesFile(
                description: description,
                names: names,
                access: access.rawValue,
                home: home,
                sharedModule: sharedModule
            )
            print(file.text(), terminator: "")
        }
    }

    struct Shared: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the types that are not in the namespaces of their interfaces. They need the module JSON."
        )

        @Option(help: "The list of these types: lines of INTERFACE.TYPE and NAME.")
        var shared: SharedTypes

        @Argument(help: "The interfaces: API=FILE.")
        var interfaces: [Interface]

        func run() throws {
            let files = try interfaces.map { interface in
                let description = try VarlinkDescription(parsing: try VarlinkGenerate.text(of: interface.path))
                let names = try InterfaceNames(description, namespace: interface.namespace, shared: shared)
                return TypesFile(description: description, names: names, access: "public")
            }
            print(SharedFile(interfaces: files).text(), terminator: "")
        }
    }

    struct Server: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the protocol that a server implements. It needs the modules Varlink and VarlinkService.",
            discussion: """
                The definition comes from standard input. The server returns its text from a static property `definition` \
                of the namespace, which is not generated.
                """
        )

        @OptionGroup var source: Source

        @Option(help: "The module with the types, if it is another one.")
        var module: String?

        @Option(name: .customLong("in"), help: "The module that the file becomes part of, if it is one of those.")
        var home: String?

        func run() throws {
            let (description, names) = try source.read()
            let file = ServerFile(description: description, names: names, module: module, home: home)
            print(file.text(), terminator: "")
        }
    }

    struct Errors: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write one type for the errors of several interfaces. It needs their types."
        )

        @Option(help: "The name of the type.")
        var name: String

        @Option(help: "The access level of the type.")
        var access = Access.public

        @Option(name: .customLong("in"), help: "The module that the file becomes part of, if it is one of those.")
        var home: String?

        @Argument(help: "The enum that holds an interface's types, and the file with its definition: API=FILE.")
        var interfaces: [Interface]

        func run() throws {
            let read = try interfaces.map { interface in
                let description = try VarlinkDescription(parsing: try VarlinkGenerate.text(of: interface.path))
                return (try InterfaceNames(description, namespace: interface.namespace), description)
            }
            let file = ErrorsFile(interfaces: read, name: name, access: access.rawValue, home: home)
            print(try file.text(), terminator: "")
        }
    }

    fileprivate static func text(of path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw ValidationError("\(path) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}

extension SharedTypes: ExpressibleByArgument {
    init?(argument: String) {
        guard let text = try? VarlinkGenerate.text(of: argument) else { return nil }
        self.init(parsing: text)
    }
}

/// The reason why no Swift code can be generated for an interface.
enum GeneratorError: Error, Hashable {
    /// Two types would have this name.
    case nameTaken(String)
    /// A type contains itself without an array or a map between, so it would be infinite.
    case endless(String)
}

extension GeneratorError: CustomStringConvertible {
    var description: String {
        switch self {
        case .nameTaken(let name): "two types would be called \(name)"
        case .endless(let name): "type \(name) holds itself without an array or a map between"
        }
    }
}
