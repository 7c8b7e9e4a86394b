// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "The schema of a server: show, save, code.",
        subcommands: [Show.self, Save.self, Code.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the tables with their fields, the relationships and the commands.",
            discussion: SchemaFile.discussion
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of a table; without it all are shown.", completion: LiveNames.tables)
        var table: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = target.job(.schema, output)
            job.tables = table.map { [$0] } ?? []
            let places = try SchemaFile.places(of: target, &job)
            try DataProgram.run(job, at: places, output)
        }
    }
}

extension SchemaCommand {
    struct Save: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Write the schema as the XML that the server sends."
        )

        @OptionGroup var target: DataTarget
        @OptionGroup var file: FileOutput

        func run() throws {
            try file.run(target.job(.schemaXML), at: [target.place])
        }
    }

    struct Code: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "code",
            abstract: "Write code with a type for the rows of each table.",
            discussion: SchemaFile.discussion
        )

        enum Language: String, ExpressibleByArgument, CaseIterable {
            case python, swift, typescript
        }

        @OptionGroup var target: DataTarget
        @Argument(help: "The names of tables; without them all are written.", completion: LiveNames.tables)
        var tables: [String] = []
        @Option(help: "The language: dataclasses in Python, structures in Swift or interfaces in TypeScript.")
        var language: Language
        @OptionGroup var file: FileOutput

        func run() throws {
            var job = target.job(.schemaCode)
            job.tables = tables
            job.name = language.rawValue
            let places = try SchemaFile.places(of: target, &job)
            try file.run(job, at: places)
        }
    }

    /// Where a text is written.
    struct FileOutput: ParsableArguments {
        @Option(
            help: ArgumentHelp("Write to this file, which is replaced when it is complete.", valueName: "file"),
            completion: .file()
        )
        var to: String?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if to?.isEmpty == true { throw ValidationError("--to is empty") }
        }

        func run(_ job: DataJob, at places: [DataPlace]) throws {
            var job = job
            try output.apply(to: &job.output, writingTo: to)
            try DataProgram.run(job, at: places, output, to: to)
        }
    }
}

/// A `.daSchema` file of the vendor that is named instead of an endpoint.
private enum SchemaFile {
    static let discussion = """
        Instead of an endpoint, a file with a schema may be named, such as a .daSchema file of the vendor: a path with \
        a slash, or a name that ends in .daSchema. Then no server is contacted.
        """

    /// The servers of a job: the endpoint, or none for a file, whose text is added to the job.
    static func places(of target: DataTarget, _ job: inout DataJob) throws -> [DataPlace] {
        let name = target.endpoint
        guard name.contains("/") || name.lowercased().hasSuffix(".daschema") else { return [target.place] }
        guard DataPlace(endpoint: name, isVerbose: target.connection.verbose) == target.place else {
            throw Failure(.usage, "'\(Printable(name))' is a file: it has no login, schema or service")
        }
        job.schema = try InputText.document(name)
        return []
    }
}

struct DataCommandCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "command",
        abstract: "Commands of a server's schema: list, run.",
        subcommands: [List.self, Run.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the commands with their parameters.",
            aliases: ["ls"]
        )

        @OptionGroup var target: DataTarget
        @OptionGroup var output: OutputOptions

        func run() throws { try DataProgram.run(target.job(.commandList, output), at: [target.place], output) }
    }

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run a command, and print the number of rows that it changed."
        )

        @OptionGroup var target: DataTarget
        @Argument(help: "The name of the command.")
        var name: String
        @Argument(help: ArgumentHelp("Values of parameters.", valueName: "name=value"))
        var parameters: [NamedValue] = []
        @OptionGroup var output: OutputOptions

        func run() throws {
            var job = target.job(.commandRun, output)
            job.name = name
            job.rows.parameters = parameters.map(\.parameter)
            try DataProgram.run(job, at: [target.place.writing], output)
        }
    }
}

struct CallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Call a method of a service, and print its results.",
        discussion: """
            The types of the parameters are those of the known services, of a RODL file, or of the server's own \
            description ('relctl services'). Otherwise a parameter names its type: NAME:TYPE=VALUE.
            """
    )

    @OptionGroup var target: DataTarget
    @Argument(help: ArgumentHelp("The service and the method.", valueName: "service.method"))
    var method: String
    @Argument(help: ArgumentHelp("Values of parameters.", valueName: "name=value"))
    var parameters: [NamedValue] = []
    @OptionGroup var rodl: RODLOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard let dot = method.lastIndex(of: "."), dot != method.startIndex, method.last != "." else {
            throw ValidationError("'\(method)' is not SERVICE.METHOD")
        }
    }

    func run() throws {
        var job = target.job(.call, output)
        job.name = method
        (job.rodl, job.rodlPath) = (try rodl.text(), rodl.file)
        job.rows.parameters = parameters.map(\.parameter)
        try DataProgram.run(job, at: [target.place.writing], output)
    }
}
