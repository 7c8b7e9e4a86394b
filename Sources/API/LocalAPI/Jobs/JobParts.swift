// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A connection to a server, opened by relctl for its helper.
package struct JobAdapter: JSONRecord {
    /// The path of the adapter's Unix socket.
    package var socket: String
    /// The name of the data service, such as `DataService` or `DataService.Simple`.
    package var service: String
    /// The data service that is used without a choice; nil if it is not known.
    package var usualService: String?
    /// The name of the server in notes and errors.
    package var name: String
    /// Identifies the server in the cache of features; nil to keep none.
    package var identity: String?
    /// The name of the login; nil without one.
    package var login: String?
    /// Whether the daemon refuses calls that may change data.
    package var isReadOnly: Bool
    /// Whether it is used at an alternate address that is not agreed to have the same database. The daemon then refuses
    /// the same calls as if it were read-only.
    package var isOtherDatabase: Bool
    /// Whether the daemon refuses calls that may change data, for any reason.
    package var refusesChanges: Bool { isReadOnly || isOtherDatabase }
    /// The code page of its text that is not Unicode; nil if it is not known.
    package var codePage: String?

    /// Creates an adapter.
    package init(
        socket: String,
        service: String,
        name: String,
        identity: String? = nil,
        login: String? = nil,
        isReadOnly: Bool = false,
        isOtherDatabase: Bool = false,
        codePage: String? = nil,
        usualService: String? = nil
    ) {
        self.socket = socket
        self.service = service
        self.usualService = usualService
        self.name = name
        self.identity = identity
        self.login = login
        self.isReadOnly = isReadOnly
        self.isOtherDatabase = isOtherDatabase
        self.codePage = codePage
    }

    package static let members: [JSONMember<Self>] = [
        .init("socket", \.socket), .init("service", \.service), .init("usualService", \.usualService),
        .init("name", \.name), .init("identity", \.identity), .init("login", \.login),
        .init("isReadOnly", \.isReadOnly), .init("isOtherDatabase", \.isOtherDatabase), .init("codePage", \.codePage),
    ]
}

/// A table of a server, under a name for a statement.
package struct JobSource: JSONRecord {
    /// The name in the statement.
    package var alias: String
    /// The index of the server in `DataJob.adapters`.
    package var adapter: Int64
    /// The name of the table.
    package var table: String

    /// Creates a source.
    package init(alias: String, adapter: Int64, table: String) {
        self.alias = alias
        self.adapter = adapter
        self.table = table
    }

    package static let members: [JSONMember<Self>] = [
        .init("alias", \.alias), .init("adapter", \.adapter), .init("table", \.table),
    ]
}

/// A named value, as text.
package struct JobParameter: JSONRecord {
    /// The name.
    package var name: String
    /// The value.
    package var text: String
    /// The type of the value; nil to derive it from the declaration or from the text.
    package var type: String?

    /// Creates a parameter.
    package init(_ name: String, _ text: String, type: String? = nil) {
        self.name = name
        self.text = text
        self.type = type
    }

    package static let members: [JSONMember<Self>] = [
        .init("name", \.name), .init("text", \.text), .init("type", \.type),
    ]
}

/// The selection of rows, and where each part of it is done.
package struct JobRows: JSONRecord {
    /// The text of a predicate (docs/predicates.md).
    package var predicate: String?
    /// A dynamic where clause as XML, which the server evaluates.
    package var whereXML: String?
    /// The fields, in order; empty for all.
    package var fields: [String] = []
    /// The fields to sort by. A minus before a field puts its greatest value first.
    package var order: [String] = []
    /// The maximum number of rows.
    package var limit: Int64?
    /// Only rows with a greater key than this one, in the order of the key.
    package var after: String?
    /// Whether the rows are read in the order of the key, from the first one if there is no `after`.
    package var isByKey = false
    /// Lookup fields, `NAME=FIELD:TABLE.KEY:SHOWN`.
    package var lookups: [String] = []
    /// Calculated fields, `NAME=EXPRESSION` or `NAME:TYPE=EXPRESSION`.
    package var calculated: [String] = []
    /// References between tables, `DETAIL.FIELD=MASTER.FIELD`.
    package var references: [String] = []
    /// The text of a file with extra fields of tables (docs/expressions.md).
    package var views: String?
    /// The values of parameters of the query, of the statement, of the command or of the call.
    package var parameters: [JobParameter] = []
    /// Sends everything, and evaluates nothing again.
    package var trustsServer = false
    /// Fails where the server cannot do everything.
    package var isServerOnly = false
    /// Evaluates everything after the server.
    package var isLocal = false
    /// Shows where each part is done, and reads nothing.
    package var isExplained = false
    /// The maximum number of rows that are read to find fewer; 0 for no limit.
    package var maxRead: Int64 = 1_000_000
    /// The maximum bytes of the temporary files of a sort or a statement.
    package var maxTemp: Int64 = 1 << 30

    package static let members: [JSONMember<Self>] = [
        .init("predicate", \.predicate), .init("whereXML", \.whereXML), .init("fields", \.fields),
        .init("order", \.order), .init("limit", \.limit), .init("after", \.after), .init("isByKey", \.isByKey),
        .init("lookups", \.lookups),
        .init("calculated", \.calculated), .init("references", \.references), .init("views", \.views),
        .init("parameters", \.parameters), .init("trustsServer", \.trustsServer), .init("isServerOnly", \.isServerOnly),
        .init("isLocal", \.isLocal), .init("isExplained", \.isExplained), .init("maxRead", \.maxRead),
        .init("maxTemp", \.maxTemp),
    ]
}

/// The format and the destination of the output.
package struct JobOutput: JSONRecord {
    /// The format of rows.
    package enum Format: String, JSONWord {
        /// Columns for people.
        case table
        /// RFC 4180.
        case csv
        /// As CSV, with tabs between the fields and a line feed at the end of a line.
        case tsv
        /// An array of objects.
        case json
        /// An object on each line.
        case jsonl
        /// One object, as every command of relctl prints it.
        case document
        /// The stream of the server, unchanged.
        case bin2
        /// An Apache Arrow IPC stream.
        case arrow
        /// An Apache Arrow file, for `arrow` if the name of the file shows it.
        case arrowFile

        /// Whether the rows are no text.
        package var isBinary: Bool { [.bin2, .arrow, .arrowFile].contains(self) }
    }

    /// The format.
    package var format = Format.table
    /// The text of NULL; nil for that of the format.
    package var nullText: String?
    /// Whether JSON has the numbers as text, with every digit.
    package var numbersAreText = false
    /// The type of Decimal and Currency in Arrow: `float`, `text`, or the digits of Decimal as `18,4`; nil for that of the
    /// schema.
    package var decimal: String?
    /// The width of the terminal; nil for no limit.
    package var columns: Int64?
    /// Whether the terminal shows colours.
    package var isColoured = false
    /// Whether the output is a terminal, so that text of the server is escaped.
    package var isTerminal = false
    /// Whether each row is shown as a list of its fields.
    package var isExpanded = false
    /// Whether progress is shown on standard error.
    package var showsProgress = false
    /// Whether notes are left out.
    package var isQuiet = false
    /// Whether the stack trace of a server's exception is shown.
    package var isVerbose = false
    /// The SQLite file of `export` and `virtualTables`.
    package var path: String?
    /// Whether `virtualTables` replaces a file that exists.
    package var isReplaced = false
    /// A directory for the values of Blob fields.
    package var blobDirectory: String?
    /// The number of rows of a page.
    package var pageRows: Int64?
    /// Whether an export that was interrupted goes on.
    package var isResumed = false
    /// The field by which an export reads only rows that are newer than those of the file.
    package var sinceField: String?

    /// Creates an output as a table.
    package init() {}

    package static let members: [JSONMember<Self>] = [
        .init("format", \.format), .init("nullText", \.nullText), .init("numbersAreText", \.numbersAreText),
        .init("decimal", \.decimal), .init("columns", \.columns), .init("isColoured", \.isColoured),
        .init("isTerminal", \.isTerminal),
        .init("isExpanded", \.isExpanded), .init("showsProgress", \.showsProgress),
        .init("isQuiet", \.isQuiet), .init("isVerbose", \.isVerbose), .init("path", \.path),
        .init("isReplaced", \.isReplaced), .init("blobDirectory", \.blobDirectory), .init("pageRows", \.pageRows),
        .init("isResumed", \.isResumed), .init("sinceField", \.sinceField),
    ]
}
