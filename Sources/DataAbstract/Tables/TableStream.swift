// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Tables in the vendor's binary format, Bin2: the result of GetData (docs/wire.md, "Tables").
///
/// Reading checks every row once and copies none. What is written is the very stream that was read if that was laid out
/// in the usual way.
public struct TableStream: Sendable {
    public var tables: [DataTable]

    public init(_ tables: [DataTable] = []) {
        self.tables = tables
    }

    /// - Parameter types: of the columns of tables that come without a schema, by the tables' names; a table that is not
    ///   in here is read by the type bytes of its columns.
    public init(
        decoding bytes: ByteBuffer,
        types: [String: [DataType]] = [:],
        limits: TableLimits = .standard
    ) throws(TableError) {
        var reader = try StreamReader(bytes, limits: limits)
        tables = []
        for entry in try StreamDirectory.read(from: &reader) {
            guard entry.kind != StreamDirectory.Kind.delta.rawValue else {
                throw reader.failure("a delta among tables")
            }
            tables.append(try DataTable(named: entry.name, types: types[entry.name], from: &reader))
        }
    }

    /// - Throws: `tooLong`.
    public func encoded() throws(TableError) -> ByteBuffer {
        var stream = StreamDirectory()
        for table in tables { stream.add(.table, table.name) { table.write(to: &$0) } }
        return try stream.finish()
    }
}
