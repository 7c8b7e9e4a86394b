// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import JSON
import NIOCore
import Platform
import SQLite

/// The SQLite database of a pending file (docs/edits.md, "Pending file").
///
/// It has a rollback journal, which exists only during a save, so that a pending file is one file, also on file systems
/// without shared memory. The schema must be exactly the one below: another program could have added a trigger.
struct PendingDatabase: ~Copyable {
    private static let application: Int64 = 0x726C_7063
    private static let version: Int64 = 1
    private static let schema = """
        CREATE TABLE pending_set (
            id INTEGER PRIMARY KEY CHECK (id = 1), endpoint TEXT, service TEXT, definition BLOB NOT NULL
        ) STRICT;
        CREATE TABLE pending_tables (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, next_row INTEGER NOT NULL, next_key INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE pending_changes (
            position INTEGER PRIMARY KEY, table_number INTEGER NOT NULL, row_number INTEGER NOT NULL,
            change TEXT NOT NULL, is_missing INTEGER NOT NULL, is_undecided INTEGER NOT NULL, message TEXT,
            table_name TEXT NOT NULL, row_key TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, content BLOB NOT NULL,
            UNIQUE (table_number, row_number)
        ) STRICT
        """
    /// A change that is removed and listed again, or the other way round, moves to the end: removals have an order of
    /// their own.
    private static let put = """
        INSERT INTO pending_changes
        SELECT coalesce(max(position), 0) + 1, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ? FROM pending_changes WHERE true
        ON CONFLICT (table_number, row_number) DO UPDATE SET
            position = iif((change = 'removed') = (excluded.change = 'removed'), position, excluded.position),
            change = excluded.change, is_missing = excluded.is_missing, message = excluded.message,
            row_key = excluded.row_key, old = excluded.old, new = excluded.new, content = excluded.content
        """
    private static let limits = TableLimits(bytes: Int(Int32.max), cell: Int(Int32.max))

    /// What a file has.
    struct Content {
        var changes: ChangeSet
        let place: PendingFilePlace?
    }

    private let database: SQLiteDatabase
    /// What `data_version` was when the file was read or saved; nil if that is not known.
    private var version: Int64?

    /// Opens a file.
    ///
    /// - Throws: `otherFormat` if it is no regular file; `SQLiteError`.
    /// - Returns: nil if there is none.
    static func open(_ path: String, busyTimeout: Duration) throws -> PendingDatabase? {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw PendingFileError.system("lstat", errno) }
            return nil
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw PendingFileError.otherFormat }
        // Links to directories are permitted, one to the file is not.
        guard let folder = realpath(UserPath.folder(of: path), nil) else {
            throw PendingFileError.system("realpath", errno)
        }
        defer { free(folder) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // A file that cannot be written is opened for reading.
        let database = try SQLiteDatabase(
            .file(String(cString: folder) + "/" + name),
            .readWriteNoLinks,
            busyTimeout: busyTimeout
        )
        return try PendingDatabase(database)
    }

    /// Returns the bytes of a file with these changes.
    static func image(of changes: ChangeSet, _ place: PendingFilePlace?) throws -> ByteBuffer {
        let new = try PendingDatabase(SQLiteDatabase(.memory, .create))
        try new.database.transaction { database in
            try database.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
            try database.execute(schema)
            try write(changes, place, isWhole: true, to: database)
        }
        return ByteBuffer(bytes: try new.database.image())
    }

    private init(_ database: consuming SQLiteDatabase) throws {
        database.forbidAttaching()
        // A dropped change is overwritten. EXTRA makes the removal of the journal durable, which is the commit.
        try database.execute(
            """
            PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA; PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON
            """
        )
        self.database = database
    }

    // MARK: Writing

    /// Saves what is new, and returns when it is durable.
    ///
    /// - Throws: `changed`, `SQLiteError`. The file then has the changes of before, or the new ones.
    mutating func save(_ changes: ChangeSet) throws {
        let expected = version
        // After a failure it is not known who changed the file.
        version = nil
        // Another program may have chosen a journal that stays.
        try database.execute("PRAGMA journal_mode = DELETE")
        let found = try database.transaction { database in
            let found = try Self.integer("PRAGMA data_version", database)
            guard expected == nil || found == expected else { throw PendingFileError.changed }
            try Self.check(database)
            try Self.write(changes, nil, isWhole: false, to: database)
            return found
        }
        version = found
    }

    private static func write(
        _ changes: ChangeSet,
        _ place: PendingFilePlace?,
        isWhole: Bool,
        to database: borrowing SQLiteDatabase
    ) throws {
        if isWhole {
            let texts = [place?.endpoint, place?.service].map { $0.map(SQLiteValue.text) ?? .null }
            try database.run("INSERT INTO pending_set VALUES (1, ?, ?, x'')", texts)
        }
        if isWhole || changes.hasUnsavedTables {
            let definition = Array(try changes.encodedTables().readableBytesView)
            try database.run("UPDATE pending_set SET definition = ?", [.blob(definition)])
        }
        try database.run("UPDATE pending_changes SET is_undecided = 0 WHERE is_undecided")
        var put = try database.prepare(Self.put)
        var numbers = try database.prepare("INSERT OR REPLACE INTO pending_tables VALUES (?, ?, ?, ?)")
        var drop = try database.prepare("DELETE FROM pending_changes WHERE table_number = ? AND row_number = ?")
        for (index, table) in changes.tables.enumerated() {
            let (next, number) = (table.nextNumbers, SQLiteValue.integer(Int64(index)))
            try numbers.bind([number, .text(table.name), .integer(next.row), .integer(next.key)])
            try numbers.run()
            let (changed, dropped) = isWhole ? (table.changedRows, []) : table.unsavedRows
            for row in dropped {
                try drop.bind([number, .integer(row.number)])
                try drop.run()
            }
            for record in table.records(of: changed) {
                let content = try TableStream([table.values(of: [record])]).encoded()
                let shown = changes.pendingRow(ChangedRow(table.name, record.row))
                try put.bind([
                    number, .integer(record.row.number), .text("\(record.state)"), .integer(record.isMissing ? 1 : 0),
                    record.failure.map { .text($0) } ?? .null, .text(table.name),
                    object(shown?.key.map { ($0.name, $0.type, $0.value) } ?? []),
                    object(shown?.fields.compactMap { field in field.old.map { (field.name, field.type, $0) } } ?? []),
                    object(shown?.fields.compactMap { field in field.new.map { (field.name, field.type, $0) } } ?? []),
                    .blob(Array(content.readableBytesView)),
                ])
                try put.run()
            }
        }
        var mark = try database.prepare(
            "UPDATE pending_changes SET is_undecided = 1 WHERE table_name = ? AND row_number = ?"
        )
        for row in changes.unansweredRows {
            try mark.bind([.text(row.table), .integer(row.row.number)])
            try mark.run()
        }
    }

    private static func object(_ fields: [(name: String, type: DataType, value: DataValue)]) -> SQLiteValue {
        .text(JSONObject(fields.map { ($0.name, $0.value.json(as: $0.type)) }).text)
    }

    // MARK: Reading

    /// Reads the file; nil if it is empty.
    ///
    /// - Throws: `otherFormat`, `foreign`, `invalid`, `SQLiteError`.
    mutating func read(_ codePage: CodePage?) throws -> Content? {
        let (content, found) = try database.transaction(.deferred) { database in
            let isEmpty = try Self.integer("SELECT count(*) FROM sqlite_schema", database) == 0
            let content = try isEmpty ? nil : Self.content(of: database, codePage)
            return (content, try Self.integer("PRAGMA data_version", database))
        }
        version = found
        return content
    }

    private static func content(of database: borrowing SQLiteDatabase, _ codePage: CodePage?) throws -> Content {
        try check(database)
        let sets = try database.rows("SELECT endpoint, service, definition FROM pending_set") { row in
            (endpoint: try row.text(0), service: try row.text(1), definition: try row.blob(2) ?? [])
        }
        guard let head = sets.first else { throw PendingFileError.otherFormat }
        var place: PendingFilePlace?
        if let endpoint = head.endpoint, let service = head.service {
            place = PendingFilePlace(endpoint: endpoint, service: service)
            guard place?.isShort == true else { throw PendingFileError.invalidPlace }
        }
        var set = try valid("tables") {
            try ChangeSet(decodingTables: ByteBuffer(bytes: head.definition), codePage: codePage)
        }
        var count = 0
        try each("SELECT number, name, next_row, next_key FROM pending_tables ORDER BY number", database) { row in
            try valid("table \(count + 1)") {
                guard try row.integer(0) == Int64(count), count < set.tables.count,
                    try row.text(1) == set.tables[count].name,
                    let next = try row.integer(2), let key = try row.integer(3)
                else { throw PendingFileError.otherFormat }
                try set.restore(nextRow: next, nextKey: key, at: count)
            }
            count += 1
        }
        guard count == set.tables.count else { throw PendingFileError.invalid("tables") }
        var listed = [Set<RowID>](repeating: [], count: count)
        var undecided: [ChangedRow] = []
        let changes = """
            SELECT position, table_number, row_number, change, is_missing, is_undecided, message, content
            FROM pending_changes ORDER BY position
            """
        try each(changes, database) { row in
            try valid("position \(try row.integer(0) ?? 0)") {
                let name = try row.text(3)
                guard let index = try row.integer(1).flatMap(Int.init(exactly:)), set.tables.indices.contains(index),
                    let state = RowState.allCases.first(where: { "\($0)" == name }), state != .unchanged,
                    let number = try row.integer(2), let content = try row.blob(7)
                else { throw PendingFileError.otherFormat }
                let record = PendingRecord(
                    row: RowID(number),
                    state: state,
                    isMissing: try row.integer(4) != 0,
                    failure: try row.text(6)
                )
                let values = try TableStream(decoding: ByteBuffer(bytes: content), limits: limits).tables
                guard values.count == 1 else { throw PendingFileError.otherFormat }
                try set.restore([record], values[0], at: index, &listed[index])
                if try row.integer(5) != 0 { undecided.append(ChangedRow(set.tables[index].name, record.row)) }
            }
        }
        set.restore(undecided: undecided)
        set.markSaved()
        return Content(changes: set, place: place)
    }

    /// Refuses a database of another program, of a later version, or with more than relativityd makes.
    private static func check(_ database: borrowing SQLiteDatabase) throws {
        guard try integer("PRAGMA application_id", database) == application,
            try integer("PRAGMA user_version", database) == version
        else { throw PendingFileError.otherFormat }
        let own = try SQLiteDatabase(.memory, .create)
        try own.execute(schema)
        let (expected, found) = (try objects(of: own), try objects(of: database))
        guard let foreign = expected.symmetricDifference(found).min(by: { $0[1] < $1[1] }) else { return }
        throw PendingFileError.foreign(foreign[1])
    }

    private static func objects(of database: borrowing SQLiteDatabase) throws -> Set<[String]> {
        Set(
            try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
                try (0..<4).map { try row.text($0) ?? "" }
            }
        )
    }

    private static func integer(_ sql: String, _ database: borrowing SQLiteDatabase) throws -> Int64? {
        try database.rows(sql) { try $0.integer(0) }.first ?? nil
    }

    private static func each(
        _ sql: String,
        _ database: borrowing SQLiteDatabase,
        _ body: (borrowing SQLiteStatement) throws -> Void
    ) throws {
        var statement = try database.prepare(sql)
        while try statement.step() { try body(statement) }
    }

    /// Throws other errors than SQLite's as `invalid`.
    private static func valid<Result>(_ part: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw PendingFileError.invalid(part)
        }
    }
}
