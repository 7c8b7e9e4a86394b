// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A job that relctl gives to its helper for data.
package struct DataJob: JSONRecord {
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
        /// Writes an SQLite file with a virtual table for each table.
        case virtualTables
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
        /// Shows the services of a server, or writes code for them.
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
    package var verb: Verb
    /// The connections. `diff` and `copy` need two, `sql` needs one for each server. `pendingList` and `pendingDrop` need
    /// none, nor do actions of `briefcase` without a server, verbs that use kept tables, verbs with a `schema`, and
    /// `services` with a `rodl`. The other verbs need one.
    package var adapters: [JobAdapter]
    /// The names of the tables. For `diff` and `copy` one for each adapter.
    package var tables: [String] = []
    /// The tables of a statement over several servers; empty for DA SQL.
    package var sources: [JobSource] = []
    /// The name of a command, `SERVICE.METHOD` of a call, or the language of `schemaCode`, `clientCode` and `services`, for
    /// which it may be `openapi`, too; nil to show the services.
    package var name: String?
    /// A RODL file with the types of a call, or with the services that are shown; nil for those that the server describes,
    /// and for a call those of Data Abstract.
    package var rodl: String?
    /// The path of its file as the user typed it, for errors; nil without a file.
    package var rodlPath: String?
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

    /// Creates a job.
    package init(_ verb: Verb, _ adapters: [JobAdapter] = []) {
        (self.verb, self.adapters) = (verb, adapters)
    }

    package static let members: [JSONMember<Self>] = [
        .init("verb", \.verb), .init("adapters", \.adapters), .init("tables", \.tables), .init("sources", \.sources),
        .init("name", \.name), .init("rodl", \.rodl), .init("rodlPath", \.rodlPath), .init("schema", \.schema),
        .init("statement", \.statement),
        .init("keys", \.keys), .init("rows", \.rows), .init("edit", \.edit), .init("input", \.input),
        .init("briefcase", \.briefcase), .init("kept", \.kept), .init("browse", \.browse), .init("client", \.client),
        .init("output", \.output), .init("timeoutSeconds", \.timeoutSeconds), .init("isProbing", \.isProbing),
        .init("everySeconds", \.everySeconds), .init("showsAll", \.showsAll), .init("codePage", \.codePage),
    ]
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

    /// Checks that numbers are in their ranges. What a verb needs it checks itself.
    ///
    /// - Throws: an error with the member.
    private func check() throws(JSONShapeError) {
        let numbers: [(String, Int64?, ClosedRange<Int64>)] = [
            ("timeoutSeconds", timeoutSeconds, 1...86_400), ("everySeconds", everySeconds, 1...86_400),
            ("rows.limit", rows.limit, 0...(.max)), ("rows.maxRead", rows.maxRead, 0...(.max)),
            ("rows.maxTemp", rows.maxTemp, 0...(.max)), ("output.pageRows", output.pageRows, 1...(.max)),
            ("output.columns", output.columns, 1...(.max)), ("edit.mostRows", edit.mostRows, 1...(.max)),
        ]
        for (member, number, range) in numbers {
            if let number, !range.contains(number) { throw JSONShapeError(path: member, expected: .validValue) }
        }
    }
}
