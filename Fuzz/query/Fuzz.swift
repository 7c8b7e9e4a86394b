// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import Glibc
import Remoting
import SQLite
import SampleServer

private let fields: [ServedField] = [
    ServedField("Id", .autoInc, column: "the id", isInPrimaryKey: true), ServedField("Name", .wideString),
    ServedField("Price", .currency, column: "Id"), ServedField("Rate", .float), ServedField("On", .boolean),
    ServedField("Day", .dateTime), ServedField("Since", .dateTime, dates: .text), ServedField("Exact", .decimal),
    ServedField("Code", .guid),
]

/// The tables have no rows, so that a join of many ends soon.
private let calls: LocalDataCalls = {
    let path = "/tmp/relativityd-fuzz.\(getpid()).sqlite"
    do {
        let database = try SQLiteDatabase(.file(path), .create)
        let columns = fields.map { "\"\($0.column)\"" }.joined(separator: ", ")
        try database.execute("CREATE TABLE \"T\" (\(columns)); CREATE TABLE \"the items\" (\(columns))")
        try database.execute("CREATE TABLE secret (Id, Name)")
        let schema = ServedSchema(
            name: "S",
            source: .file(path),
            tables: [ServedTable("T", fields), ServedTable("Items", source: "the items", fields)]
        )
        let calls = try LocalDataCalls(schema, database: path, collation: .nocase)
        unlink(path)
        return calls
    } catch {
        fatalError("\(error)")
    }
}()

/// A query of a client: DA SQL, or a where clause if the text begins with `<`. Whatever the server accepts is SQL that
/// SQLite can parse and that reads no other table.
@main
enum QueryFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        do {
            _ = try calls.getData(["T"], [request(text)])
        } catch let error as SQLiteError {
            let hints = ["syntax error", "unrecognized token", "incomplete", "no such", "not authorized", "more than"]
            if hints.contains(where: { error.message.contains($0) }) { fatalError("\(error)") }
        } catch {
            // The server refuses the text.
        }
    }
}

private func request(_ text: String) -> RemotingStruct {
    let isWhere = text.hasPrefix("<")
    let parameters = [parameter("p0", .int32(7)), parameter("p1", .string("x'"))]
    var members: [NamedValue] = [
        .init("IncludeSchema", .boolean(true)), .init("MaxRecords", .integer(1)),
        .init("Parameters", .array(parameters)), .init("UserFilter", .utf8String("")),
    ]
    if isWhere {
        members.append(.init("DynamicSelectFieldNames", .array(nil)))
        members.append(.init("WhereClause", .xml(text)))
    } else {
        members.append(.init("Sql", .wideString(text)))
    }
    return RemotingStruct(isWhere ? "TableRequestInfoV5" : "TableRequestInfoV6", members)
}

private func parameter(_ name: String, _ value: RemotingVariant) -> RemotingValue {
    let members: [NamedValue] = [.init("Name", .utf8String(name)), .init("Value", .variant(value))]
    return .structure(RemotingStruct("DataParameter", members))
}
