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

/// A part of a reply to GetData, in the order of the stream.
public enum TableEvent: Sendable {
    /// A table begins.
    case table(TableHead)
    /// The next rows of the last table. They keep only their own part of the stream in memory.
    case rows(DataRows)
}
