// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI

/// The connection to the server of a command about data.
struct DataConnection: ParsableArguments {
    @OptionGroup var named: LoginOption
    @Flag(help: "Use no login, for servers that require none.")
    var anonymous = false
    @Option(
        help: ArgumentHelp("Use the socket in this directory of a grant, and not the daemon.", valueName: "directory"),
        completion: .directory
    )
    var grant: String?
    @Option(help: ArgumentHelp("The schema: the service DataService.NAME.", valueName: "name"))
    var schema: String?
    @Option(help: ArgumentHelp("The data service, if not the one that is announced.", valueName: "name"))
    var service: String?
    @Option(help: ArgumentHelp("End a call that received no byte for this time.", valueName: "time"))
    var timeout = Self.usualTimeout
    @Flag(help: "Show the stack trace of a server's exception, if it sends one.")
    var verbose = false

    static let usualTimeout = TimeSpan(seconds: 60)

    var login: String? { named.name }

    func validate() throws {
        if anonymous, login != nil { throw ValidationError("--anonymous and --login cannot be used together") }
        if grant != nil, login != nil || anonymous {
            throw ValidationError("--grant cannot be used with --login or --anonymous")
        }
        if schema != nil, service != nil { throw ValidationError("--schema and --service cannot be used together") }
        if timeout.seconds < 1 { throw ValidationError("--timeout must be at least 1s") }
    }

    /// A job with this connection, without its adapters.
    func job(_ verb: DataJob.Verb, _ output: OutputOptions? = nil) -> DataJob {
        var job = DataJob(verb)
        job.timeoutSeconds = timeout.seconds
        output?.apply(to: &job.output)
        return job
    }

    func place(_ endpoint: String) -> DataPlace {
        DataPlace(
            endpoint: endpoint,
            login: login,
            isAnonymous: anonymous,
            schema: schema,
            service: service,
            grant: grant,
            isVerbose: verbose
        )
    }
}

/// The server of a command about data.
struct DataTarget: ParsableArguments {
    @Argument(help: "Endpoint ID or unique name, or LOGIN@ENDPOINT.", completion: LiveNames.endpoints)
    var endpoint: String
    @OptionGroup var connection: DataConnection

    var place: DataPlace { connection.place(endpoint) }

    /// A job at this server, without its adapter.
    ///
    /// - Parameter output: the options of the output; nil if they are applied otherwise.
    func job(_ verb: DataJob.Verb, _ output: OutputOptions? = nil) -> DataJob {
        connection.job(verb, output)
    }
}

/// The rows that a command reads.
struct RowFilter: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Read only rows that this predicate is true for.", valueName: "predicate")
    )
    var predicate: String?
    @Option(
        help: ArgumentHelp("Have the server evaluate the where clause in this file of XML.", valueName: "file"),
        completion: .file()
    )
    var whereXml: String?
    @OptionGroup var parameters: ParameterOption
    @Flag(help: "Read all rows, and evaluate the predicate here.")
    var local = false
    @Flag(help: "Let the server evaluate everything, and check nothing.")
    var trustServer = false
    @Flag(help: "Fail if the server cannot do everything.")
    var serverOnly = false
    @Option(help: ArgumentHelp("Fail rather than read more rows than this to find fewer.", valueName: "rows"))
    var maxRead: Int64 = 1_000_000
    @OptionGroup var space: TemporarySpace
    @Flag(help: "Show what the server does and what is done here, and read nothing.")
    var explain = false
    @OptionGroup var codePage: CodePageOption

    func validate() throws {
        if [local, trustServer, serverOnly].count(where: { $0 }) > 1 {
            throw ValidationError("--local, --trust-server and --server-only cannot be used together")
        }
        if maxRead < 0 { throw ValidationError("--max-read cannot be negative") }
        if local, whereXml != nil { throw ValidationError("--local cannot be used with --where-xml") }
    }

    func apply(to job: inout DataJob) throws {
        job.rows.predicate = predicate
        job.rows.whereXML = try whereXml.map { try InputText.read($0) }
        job.rows.parameters = parameters.values
        (job.rows.isLocal, job.rows.trustsServer, job.rows.isServerOnly) = (local, trustServer, serverOnly)
        (job.rows.maxRead, job.rows.maxTemp, job.rows.isExplained) = (maxRead, space.limit.bytes, explain)
        job.codePage = codePage.name
    }
}

/// The option `--code-page`.
struct CodePageOption: ParsableArguments {
    @Option(
        name: .customLong("code-page"),
        help: ArgumentHelp(
            "The code page of text that is not Unicode, such as windows-1252; by default that of the endpoint.",
            valueName: "name"
        )
    )
    var name: String?
}

/// The option `--param`.
struct ParameterOption: ParsableArguments {
    @Option(
        name: .customLong("param"),
        help: ArgumentHelp(
            "Value of a parameter of the query; NAME:TYPE=VALUE names its type, such as Text. May be repeated.",
            valueName: "name=value"
        )
    )
    var all: [NamedValue] = []

    var values: [JobParameter] { all.map(\.parameter) }
}

/// A parameter as typed: `NAME=VALUE` or `NAME:TYPE=VALUE`.
struct NamedValue: ExpressibleByArgument {
    let parameter: JobParameter

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "=") else { return nil }
        let words = argument[..<sign].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty }), let name = words.first else { return nil }
        parameter = JobParameter(
            String(name),
            String(argument[argument.index(after: sign)...]),
            type: words.count > 1 ? String(words[1]) : nil
        )
    }
}

/// The fields, the order and the number of the rows that a command prints.
struct RowSelection: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only these fields, in this order.", valueName: "field,..."),
        completion: LiveNames.fields
    )
    var select: FieldList?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The order; a minus before a field puts its greatest value first, and NULL last.",
            valueName: "field,..."
        ),
        completion: LiveNames.fields
    )
    var sort: SortOrder?
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "rows"))
    var limit: Int64?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("invalid --limit '\(limit)': expected 0 or more") }
    }

    func apply(to job: inout DataJob) {
        job.rows.fields = select?.names ?? []
        job.rows.order = sort?.fields ?? []
        job.rows.limit = limit
    }
}

/// The same for rows of a server, which are also read in pages.
struct RowShape: ParsableArguments {
    @OptionGroup var selection: RowSelection
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only rows after the one with this key, in the order of the key.", valueName: "key")
    )
    var after: String?
    @Flag(help: "Rows in the order of the key: with --limit the first page, which --after continues.")
    var byKey = false

    func validate() throws {
        if after != nil || byKey, selection.sort != nil {
            throw ValidationError("--\(byKey ? "by-key" : "after") and --sort cannot be used together")
        }
    }

    func apply(to job: inout DataJob) {
        selection.apply(to: &job)
        (job.rows.after, job.rows.isByKey) = (after, byKey)
    }
}

/// Names separated by commas, none of which is empty.
struct FieldList: ExpressibleByArgument {
    let names: [String]

    init?(argument: String) {
        names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { return nil }
    }
}

/// The option `--key` of commands that compare rows.
struct KeyFields: ParsableArguments {
    @Option(
        name: .customLong("key"),
        help: ArgumentHelp("The fields that identify a row; by default the key of the schema.", valueName: "field,...")
    )
    private var list: FieldList?

    /// Empty for the key of the schema.
    var names: [String] { list?.names ?? [] }
}

/// An order as typed, such as `name,-date`.
struct SortOrder: ExpressibleByArgument {
    let fields: [String]

    init?(argument: String) {
        guard let list = FieldList(argument: argument), !list.names.contains("-") else { return nil }
        fields = list.names
    }
}
