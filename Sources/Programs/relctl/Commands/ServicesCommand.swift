// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "Show the services of a server with their methods, or write code that calls them.",
        discussion: """
            The server is asked for its own description, a RODL, with GET of its path, without a login or a session. Not \
            every server answers. With --rodl a file is read, and no server is contacted.

            The code has a class for each service, and makes its calls with the Data API. Methods that every server of \
            Data Abstract has are left out: they are those of 'table', 'sql' and 'command'.
            """
    )

    enum Language: String, ExpressibleByArgument, CaseIterable {
        case python, typescript
    }

    @Argument(help: "Endpoint ID or unique name; not with --rodl.", completion: LiveNames.endpoints)
    var endpoint: String?
    @OptionGroup var rodl: RODLOption
    @Option(help: "Write classes in this language. Those in Python use the package relativity.")
    var code: Language?
    @Flag(name: .customLong("openapi"), help: "Write an OpenAPI 3.1 document of the calls by HTTP, in JSON.")
    var openAPI = false
    @Option(help: ArgumentHelp("End the request if no byte is received for this time.", valueName: "time"))
    var timeout = TimeSpan(seconds: 60)
    @OptionGroup var file: SchemaCommand.FileOutput

    func validate() throws {
        if timeout.seconds < 1 { throw ValidationError("--timeout must be at least 1s") }
        if code != nil, openAPI { throw ValidationError("--code and --openapi cannot be used together") }
        if endpoint == nil, rodl.file == nil { throw ValidationError("name an endpoint, or a file with --rodl") }
        if endpoint != nil, rodl.file != nil { throw ValidationError("--rodl cannot be used with an endpoint") }
    }

    func run() throws {
        var job = DataJob(.services)
        job.timeoutSeconds = timeout.seconds
        job.name = openAPI ? "openapi" : code?.rawValue
        (job.rodl, job.rodlPath) = (try rodl.text(), rodl.file)
        try file.run(job, at: endpoint.map { [DataPlace(endpoint: $0, isAnonymous: true)] } ?? [])
    }
}

/// The option `--rodl`.
struct RODLOption: ParsableArguments {
    @Option(
        name: .customLong("rodl"),
        help: ArgumentHelp("Read this RODL file, the vendor's description of a server.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    /// The text of the file; nil without one.
    func text() throws -> String? { try file.map { try InputText.document($0) } }
}
