// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

struct ClientCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Programs to start from: new.",
        subcommands: [New.self]
    )

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Write a small program for the tables of a server.",
            discussion: """
                The program shows rows, edits and applies, and keeps the tables in a briefcase. It has no password: \
                relativityd logs in. At a terminal, what no option says is asked for.
                """
        )

        enum Language: String, ExpressibleByArgument, CaseIterable {
            case python, swift
        }

        /// The maximum bytes of the program.
        private static let mostBytes = 64 << 20

        @Argument(help: "The directory for the program; a new one, or an empty one.", completion: .directory)
        var directory: String
        @Option(help: "The language of the program.")
        var language: Language
        @Option(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
        var endpoint: String?
        @Option(help: "The name of a table, may be repeated; by default all.", completion: LiveNames.tables)
        var table: [String] = []
        @Option(
            help: ArgumentHelp("The sources of relativityd, with the library. Required for Swift.", valueName: "path"),
            completion: .directory
        )
        var package: String?
        @OptionGroup var connection: DataConnection
        @OptionGroup var output: OutputOptions

        func run() throws {
            try NewDirectory.check(directory)
            let package = try packagePath()
            let place = try place()
            try DataProgram.with([place], output) { program in
                var job = connection.job(.clientCode)
                job.output.format = .document
                job.name = language.rawValue
                job.tables = try tables(program)
                job.client.endpoint = place.endpoint
                job.client.login = place.login
                job.client.isAnonymous = place.isAnonymous
                job.client.schema = place.schema
                job.client.service = place.service
                job.client.package = package
                try write(try answer(job, program).objects("files"))
            }
        }

        /// Runs a job, whose helper prints its errors itself.
        private func answer(_ job: DataJob, _ program: DataProgram) throws -> JSONObject {
            let (status, bytes) = try program.output(of: job, maximumBytes: Self.mostBytes)
            guard status == ExitStatus.done.rawValue else { Glibc.exit(status) }
            let limits = JSONLimits(depth: 8, bytes: Self.mostBytes)
            return try JSONValue(parsing: bytes, limits: limits).objectValue ?? [:]
        }

        private func packagePath() throws -> String {
            let isNeeded = language == .swift
            guard let path = try package ?? (isNeeded ? asked("--package", "sources of relativityd") : nil) else {
                return ""
            }
            guard let real = realpath(path, nil) else {
                throw PlatformError.system(call: "realpath", subject: path, errno: errno)
            }
            defer { free(real) }
            return String(cString: real)
        }

        /// The server, the login and the data service.
        private func place() throws -> DataPlace {
            guard endpoint == nil, Terminal.inputIsTerminal else {
                return connection.place(try endpoint ?? asked("--endpoint", "server"))
            }
            let servers = try DaemonClient().call(RegistryAPI.ListCall()).endpoints.filter { !$0.hidden }
            for server in servers { Terminal.writeError("  \(Printable(server.name))\n") }
            let proposal = servers.count == 1 ? servers[0].name : ""
            var place = connection.place(try Question.needed("server", proposal: proposal))
            if !place.isAnonymous, place.login == nil {
                // The user, the domain and the schema are those of the login.
                place.login = Question.optionalText("login, if the server has several")
            }
            guard place.service == nil, place.schema == nil else { return place }
            let kind = Question.choice("Relativity server or custom (r, c)?", proposal: "r")
            if kind.lowercased().hasPrefix("c") {
                place.service = try Question.needed("data service", proposal: "DataService")
            } else {
                place.schema = Question.optionalText("schema, if not that of the login")
            }
            return place
        }

        private func asked(_ option: String, _ what: String) throws -> String {
            try Question.requireTerminal("use \(option)")
            return try Question.needed(what, proposal: "")
        }

        private func tables(_ program: DataProgram) throws -> [String] {
            guard table.isEmpty, endpoint == nil, Terminal.inputIsTerminal else { return table }
            var job = connection.job(.list)
            job.output.format = .document
            for table in try answer(job, program).objects("tables") {
                Terminal.writeError("  \(Printable(try table.string("name")))\n")
            }
            let answer = Question.choice("tables, with commas between them?", proposal: "all")
            return answer == "all" ? [] : answer.split(separator: ",").map(String.init)
        }

        private func write(_ files: [JSONObject]) throws {
            try NewDirectory.make(directory)
            let paths = try files.map { try $0.string("path") }
            for (file, path) in zip(files, paths) {
                let parts = path.split(separator: "/").dropLast()
                for count in parts.indices {
                    try NewDirectory.make("\(directory)/\(parts[...count].joined(separator: "/"))")
                }
                let text = try file.string("text")
                try ResultFile.create("\(directory)/\(path)", mode: 0o666) { try $0.write(text) }
            }
            output.report(
                ["directory": .string(directory), "files": .array(paths.map { .string($0) })],
                else: paths.map { "\(Printable("\(directory)/\($0)"))\n" }.joined()
            )
        }
    }
}

/// A directory for new files.
enum NewDirectory {
    /// Checks that nothing would be mixed with new files.
    ///
    /// - Throws: a `Failure` if the path exists and is no empty directory.
    static func check(_ path: String) throws {
        guard let stream = opendir(path) else {
            guard errno == ENOENT else { throw PlatformError.system(call: "opendir", subject: path, errno: errno) }
            return
        }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // Each directory has its own name and that of its parent.
        guard count <= 2 else { throw Failure(.failed, "'\(Printable(path))' is not empty") }
    }

    /// Makes a directory, unless there is one.
    static func make(_ path: String) throws(PlatformError) {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", subject: path, errno: errno)
        }
    }
}
