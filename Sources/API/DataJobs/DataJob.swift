// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A job that relctl gives to its helper for data.
package struct DataJob: JobRecord {
    /// The verb.
    package enum Verb: String, JSONWord {
        /// Names the tables.
        case list
        /// Reads one table.
        case get
        /// Counts the rows of tables.
        case count
        /// Writes tables into an SQLite file.
        case export
        /// Shows what the server can do.
        case features
        /// Shows the schema.
        case schema
        /// Prints the schema as the server's XML.
        case schemaXML
        /// Prints code with a type for the rows of each table.
        case schemaCode
        /// Prints the files of a program for tables.
        case clientCode
        /// Runs a statement in DA SQL, or in SQLite over tables of several servers.
        case sql
        /// Names the commands.
        case commandList
        /// Runs a command.
        case commandRun
        /// Calls a method of a service.
        case call
        /// Shows the services of a server.
        case services
        /// Compares two tables.
        case diff
        /// Copies the rows of a table into another.
        case copy
        /// Prints the changes of a table until it is interrupted.
        case watch
        /// Inserts, updates or deletes rows of a table.
        case edit
        /// Shows the fields of one row, for an editor.
        case row
        /// Inserts and updates the rows of a file.
        case importRows
        /// Applies pending changes.
        case apply
        /// Shows pending changes.
        case pendingList
        /// Drops pending changes.
        case pendingDrop
        /// Uses a briefcase.
        case briefcase
        /// Shows tables on the full screen of a terminal.
        case browse
    }

    /// The verb.
    package var verb = Verb.list
    /// The connections. `diff` and `copy` need two, `sql` needs one for each server. `pendingList` and `pendingDrop` need
    /// none, nor do actions of `briefcase` without a server, verbs that use kept tables, and verbs with a `schema`. The
    /// other verbs need one.
    package var adapters: [JobAdapter] = []
    /// The names of the tables. For `diff` and `copy` one for each adapter.
    package var tables: [String] = []
    /// The tables of a statement over several servers; empty for DA SQL.
    package var sources: [JobSource] = []
    /// The name of a command, `SERVICE.METHOD` of a call, or the language of `schemaCode` and `clientCode`.
    package var name: String?
    /// A RODL file with the types of a call; nil for the known services and those that the server describes.
    package var rodl: String?
    /// The schema of `schema` and `schemaCode` as XML; nil to get it from the server. Then there is no connection.
    package var schema: String?
    /// The statement of `sql`.
    package var statement: String?
    /// The fields that identify a row, for `diff`, `copy`, `watch` and `importRows`; empty for the key of the schema.
    package var keys: [String] = []
    /// The selection of rows.
    package var rows = JobRows()
    /// The change.
    package var edit = JobEdit()
    /// The file of `importRows`.
    package var input = JobInput()
    /// The briefcase.
    package var briefcase = JobBriefcase()
    /// The kept tables.
    package var kept = JobKept()
    /// The terminal of `browse`.
    package var browse = JobBrowse()
    /// The server of `clientCode`, as its program names it.
    package var client = JobClient()
    /// The output.
    package var output = JobOutput()
    /// Ends a call that has received no byte for so many seconds; 1 to 86,400.
    package var timeoutSeconds: Int64 = 60
    /// Whether `features` asks the server.
    package var isProbing = false
    /// The time between two readings of `watch`; 1 to 86,400.
    package var everySeconds: Int64 = 60
    /// Whether `watch` begins with all rows.
    package var showsAll = false
    /// The code page of text that is not Unicode, such as `windows-1252`; nil for Latin-1 with a note.
    package var codePage: String?
    /// Where the features of servers are kept; nil to keep none.
    package var cachePath: String?

    /// Creates a job for `list` without an adapter.
    package init() {}

    /// Creates a job.
    package init(_ verb: Verb, _ adapters: [JobAdapter]) {
        self.verb = verb
        self.adapters = adapters
    }

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("verb", required: &verb)
        try coder.member("adapters", required: &adapters)
        try coder.member("tables", &tables)
        try coder.member("sources", &sources)
        try coder.member("name", ifPresent: &name)
        try coder.member("rodl", ifPresent: &rodl)
        try coder.member("schema", ifPresent: &schema)
        try coder.member("statement", ifPresent: &statement)
        try coder.member("keys", &keys)
        try coder.member("rows", &rows)
        try coder.member("edit", &edit)
        try coder.member("input", &input)
        try coder.member("briefcase", &briefcase)
        try coder.member("kept", &kept)
        try coder.member("browse", &browse)
        try coder.member("client", &client)
        try coder.member("output", &output)
        try coder.member("timeoutSeconds", &timeoutSeconds)
        try coder.member("isProbing", &isProbing)
        try coder.member("everySeconds", &everySeconds)
        try coder.member("showsAll", &showsAll)
        try coder.member("codePage", ifPresent: &codePage)
        try coder.member("cachePath", ifPresent: &cachePath)
    }
}

extension DataJob {
    /// The limits of a job's text. A statement is the longest part.
    package static let limits = JSONLimits(depth: 8, bytes: 16 << 20, values: 1 << 16)

    /// Reads and checks the text of a job.
    ///
    /// - Throws: `JSONSyntaxError` or `JSONShapeError`.
    package init(parsing text: [UInt8]) throws {
        try self.init(jsonValue: try JSONValue(parsing: text, limits: Self.limits))
        try check()
    }

    /// The text of the job: one JSON object.
    package var text: [UInt8] { jsonValue.serialized() }

    /// Checks that the verb has what it needs, and that numbers are in their ranges.
    ///
    /// - Throws: an error with the member.
    package func check() throws(JSONShapeError) {
        switch verb {
        case .diff, .copy: try require("adapters", adapters.count == 2)
        case .pendingList, .pendingDrop: break
        case .edit where !briefcase.path.isEmpty, .row where !briefcase.path.isEmpty,
            .importRows where !briefcase.path.isEmpty:
            break
        case .briefcase where !briefcase.action.usesServer: break
        case .schema where schema != nil, .schemaCode where schema != nil: break
        case _ where JobKept.verbs.contains(verb) && (kept.use == .always || kept.failure != nil):
            try require("kept.directory", !kept.directory.isEmpty)
        default: try require("adapters", !adapters.isEmpty)
        }
        try require("timeoutSeconds", (1...86_400).contains(timeoutSeconds))
        try require("rows.limit", rows.limit.map { $0 >= 0 } ?? true)
        try require("rows.maxRead", rows.maxRead >= 0)
        try require("rows.maxTemp", rows.maxTemp >= 0)
        try require("output.pageRows", output.pageRows.map { $0 > 0 } ?? true)
        try require("output.columns", output.columns.map { $0 > 0 } ?? true)
        for source in sources { try require("sources", adapters.indices.contains(source.adapter)) }
        switch verb {
        case .list, .features, .schema, .schemaXML, .schemaCode, .commandList, .services: break
        case .get: try require("tables", tables.count == 1)
        case .browse:
            try require("tables", tables.count <= 1)
            try require("browse.keysDescriptor", (3...1_023).contains(browse.keysDescriptor))
        case .watch:
            try require("tables", tables.count == 1)
            try require("everySeconds", (1...86_400).contains(everySeconds))
        case .count: try require("tables", !tables.isEmpty)
        case .export:
            try require("tables", !tables.isEmpty)
            try require("output.path", output.path != nil)
        case .sql: try require("statement", statement != nil)
        case .commandRun, .call, .clientCode: try require("name", name != nil)
        case .diff, .copy: try require("tables", tables.count == 2)
        case .edit:
            try require("tables", tables.count == 1)
            let hasRows = (edit.key != nil) != (rows.predicate != nil)
            try require("edit.key", edit.kind == .insert || hasRows)
            try require("edit.mostRows", edit.mostRows.map { $0 > 0 } ?? true)
        case .row:
            try require("tables", tables.count == 1)
            try require("edit.key", edit.key != nil)
        case .importRows:
            try require("tables", tables.count == 1)
            try require("input.descriptor", (3...1_023).contains(input.descriptor))
            try require("input.delimiter", input.delimiter.map { (1...0x7E).contains($0) } ?? true)
        case .briefcase:
            if briefcase.action.usesKeptSets {
                try require("kept.directory", !kept.directory.isEmpty)
            } else {
                try require("briefcase.path", !briefcase.path.isEmpty)
            }
            if [.save, .keep].contains(briefcase.action) { try require("tables", !tables.isEmpty) }
            if briefcase.action == .load { try require("tables", tables.count == 1) }
        case .apply, .pendingList, .pendingDrop: try require("edit.pendingPath", edit.pendingPath != nil)
        }
    }

    private func require(_ member: String, _ isValid: Bool) throws(JSONShapeError) {
        guard isValid else { throw JSONShapeError(path: member, expected: .validValue) }
    }
}
