// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A connection to a server, opened by relctl for its helper.
package struct JobAdapter: JobRecord {
    /// The path of the adapter's Unix socket.
    package var socket = ""
    /// The name of the data service, such as `DataService` or `DataService.Simple`.
    package var service = ""
    /// The data service that is used without a choice; nil if it is not known.
    package var usualService: String?
    /// The name of the server in notes and errors.
    package var name = ""
    /// Identifies the server in the cache of features; nil to keep none.
    package var identity: String?
    /// The name of the login; nil without one.
    package var login: String?
    /// Whether the daemon refuses calls that may change data.
    package var isReadOnly = false
    /// The code page of its text that is not Unicode; nil if it is not known.
    package var codePage: String?

    /// Creates an adapter without names.
    package init() {}

    /// Creates an adapter.
    package init(
        socket: String,
        service: String,
        name: String,
        identity: String? = nil,
        login: String? = nil,
        isReadOnly: Bool = false,
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
        self.codePage = codePage
    }

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("socket", required: &socket)
        try coder.member("service", required: &service)
        try coder.member("usualService", ifPresent: &usualService)
        try coder.member("name", required: &name)
        try coder.member("identity", ifPresent: &identity)
        try coder.member("login", ifPresent: &login)
        try coder.member("isReadOnly", &isReadOnly)
        try coder.member("codePage", ifPresent: &codePage)
    }
}

/// A table of a server, under a name for a statement.
package struct JobSource: JobRecord {
    /// The name in the statement.
    package var alias = ""
    /// The index of the server in `DataJob.adapters`.
    package var adapter = 0
    /// The name of the table.
    package var table = ""

    /// Creates a source without names.
    package init() {}

    /// Creates a source.
    package init(alias: String, adapter: Int, table: String) {
        self.alias = alias
        self.adapter = adapter
        self.table = table
    }

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        var index = Int64(adapter)
        try coder.member("alias", required: &alias)
        try coder.member("adapter", required: &index)
        try coder.member("table", required: &table)
        adapter = Int(index)
    }
}

/// A named value, as text.
package struct JobParameter: JobRecord {
    /// The name.
    package var name = ""
    /// The value.
    package var text = ""
    /// The type of the value; nil to derive it from the declaration or from the text.
    package var type: String?

    /// Creates a parameter without a name.
    package init() {}

    /// Creates a parameter.
    package init(_ name: String, _ text: String, type: String? = nil) {
        self.name = name
        self.text = text
        self.type = type
    }

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("name", required: &name)
        try coder.member("text", required: &text)
        try coder.member("type", ifPresent: &type)
    }
}

/// A field to sort by.
package struct JobOrder: JobRecord {
    /// The name of the field.
    package var field = ""
    /// Whether the greatest value is first.
    package var isDescending = false

    /// Creates an order without a field.
    package init() {}

    /// Creates an order.
    package init(_ field: String, isDescending: Bool = false) {
        self.field = field
        self.isDescending = isDescending
    }

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("field", required: &field)
        try coder.member("isDescending", &isDescending)
    }
}

/// The selection of rows, and where each part of it is done.
package struct JobRows: JobRecord {
    /// The text of a predicate (docs/predicates.md).
    package var predicate: String?
    /// A dynamic where clause as XML, which the server evaluates.
    package var whereXML: String?
    /// The fields, in order; empty for all.
    package var fields: [String] = []
    /// The order of the rows.
    package var order: [JobOrder] = []
    /// The maximum number of rows.
    package var limit: Int64?
    /// Only rows with a greater key than this one.
    package var after: String?
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

    /// Creates a selection of all rows.
    package init() {}

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("predicate", ifPresent: &predicate)
        try coder.member("whereXML", ifPresent: &whereXML)
        try coder.member("fields", &fields)
        try coder.member("order", &order)
        try coder.member("limit", ifPresent: &limit)
        try coder.member("after", ifPresent: &after)
        try coder.member("lookups", &lookups)
        try coder.member("calculated", &calculated)
        try coder.member("references", &references)
        try coder.member("views", ifPresent: &views)
        try coder.member("parameters", &parameters)
        try coder.member("trustsServer", &trustsServer)
        try coder.member("isServerOnly", &isServerOnly)
        try coder.member("isLocal", &isLocal)
        try coder.member("isExplained", &isExplained)
        try coder.member("maxRead", &maxRead)
        try coder.member("maxTemp", &maxTemp)
    }
}

/// The format and the destination of the output.
package struct JobOutput: JobRecord {
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
    }

    /// The format.
    package var format = Format.table
    /// The text of NULL; nil for that of the format.
    package var nullText: String?
    /// Whether JSON has the numbers as text, with every digit.
    package var numbersAreText = false
    /// The width of the terminal; nil for no limit.
    package var columns: Int64?
    /// Whether the terminal shows colours.
    package var isColoured = false
    /// Whether the output is a terminal, so that text of the server is escaped.
    package var isTerminal = false
    /// Whether characters of the program's own may be other than ASCII.
    package var isUnicode = false
    /// Whether each row is shown as a list of its fields.
    package var isExpanded = false
    /// Whether progress is shown on standard error.
    package var showsProgress = false
    /// Whether notes are left out.
    package var isQuiet = false
    /// Whether the stack trace of a server's exception is shown.
    package var isVerbose = false
    /// The SQLite file of `export`.
    package var path: String?
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

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("format", &format)
        try coder.member("nullText", ifPresent: &nullText)
        try coder.member("numbersAreText", &numbersAreText)
        try coder.member("columns", ifPresent: &columns)
        try coder.member("isColoured", &isColoured)
        try coder.member("isTerminal", &isTerminal)
        try coder.member("isUnicode", &isUnicode)
        try coder.member("isExpanded", &isExpanded)
        try coder.member("showsProgress", &showsProgress)
        try coder.member("isQuiet", &isQuiet)
        try coder.member("isVerbose", &isVerbose)
        try coder.member("path", ifPresent: &path)
        try coder.member("blobDirectory", ifPresent: &blobDirectory)
        try coder.member("pageRows", ifPresent: &pageRows)
        try coder.member("isResumed", &isResumed)
        try coder.member("sinceField", ifPresent: &sinceField)
    }
}
