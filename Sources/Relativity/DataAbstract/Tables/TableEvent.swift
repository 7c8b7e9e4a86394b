// SPDX-License-Identifier: Apache-2.0

/// The part of a table before its rows.
public struct TableHead: Hashable, Sendable {
    /// The name in the stream.
    public let name: String
    /// Nil if the reply has none.
    public let schema: TableSchema?
    /// The columns, in the order of the cells.
    public let columns: [DataColumn]
    /// The number of rows that follow, as announced by the stream.
    public let rowCount: Int
}

extension TableHead {
    /// Reads everything before the rows, and deducts the rows from the stream's budget.
    ///
    /// - Parameter types: the types of the columns, if they are known and the stream has no schema.
    init(named name: String, types: [DataType]?, from reader: inout StreamReader) throws(TableError) {
        self.name = name
        let hasSchema = try reader.readByte()
        guard hasSchema <= 1 else { throw reader.failure("flag that is neither 0 nor 1") }
        // The position of the schema's end. It is not needed, because the schema is read to its end.
        _ = try reader.readInt32()
        schema = hasSchema == 1 ? try TableSchema(from: &reader) : nil
        rowCount = try reader.readCount("rows", limit: reader.limits.rows, bytesEach: 1)
        let fieldTypes = schema.map { $0.fields.map { $0.type ?? .unknown } }
        columns = try Self.columns(typed: fieldTypes ?? types, from: &reader)
        guard rowCount > 0 else { return }
        guard columns.allSatisfy({ $0.type != .unknown }) else { throw reader.failure("a column of an unknown type") }
        guard !columns.isEmpty else { throw reader.failure("rows without columns") }
        try reader.chargeRows(rowCount)
    }

    /// Reads the columns. A column's own type byte is used only if no better type is known.
    private static func columns(
        typed types: [DataType]?,
        from reader: inout StreamReader
    ) throws(TableError) -> [DataColumn] {
        let count = try reader.readItemCount("columns", limit: reader.limits.columns, bytesEach: 9)
        guard count <= types?.count ?? count else { throw reader.failure("more columns than fields of the schema") }
        var columns: [DataColumn] = []
        for index in 0..<count {
            let name = try reader.readText()
            let code = try reader.readByte()
            let type = types?[index] ?? DataType(rawValue: code) ?? .unknown
            columns.append(DataColumn(name, type, size: try reader.readInt32(), codePage: reader.codePage))
        }
        return columns
    }
}

/// A part of a reply to GetData, in the order of the stream.
public enum TableEvent: Sendable {
    /// A table begins.
    case table(TableHead)
    /// The next rows of the last table. They keep only their own part of the stream in memory.
    case rows(DataRows)
}
