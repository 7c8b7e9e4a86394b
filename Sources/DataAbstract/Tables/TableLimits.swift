// SPDX-License-Identifier: Apache-2.0

/// What a stream may cost its reader at most.
///
/// Rows stay as they came. Beside the bytes, a reader keeps four of its own for each row, eight for each change, and the
/// schema as strings; so memory is bounded by `bytes`, `rows` and `items` together.
public struct TableLimits: Hashable, Sendable {
    /// Bytes of the whole stream.
    public var bytes: Int
    /// Tables or deltas of one stream.
    public var tables: Int
    /// Columns of one table or delta.
    public var columns: Int
    /// Rows and changes of one stream together.
    public var rows: Int
    /// Bytes of one cell.
    public var cell: Int
    /// Bytes of one name, property or message.
    public var text: Int
    /// Properties, parameters, columns and keys of one stream together.
    public var items: Int

    public init(
        bytes: Int = 64 << 20,
        tables: Int = 1024,
        columns: Int = 4096,
        rows: Int = 1 << 24,
        cell: Int = 64 << 20,
        text: Int = 64 << 10,
        items: Int = 1 << 18
    ) {
        self.bytes = bytes
        self.tables = tables
        self.columns = columns
        self.rows = rows
        self.cell = cell
        self.text = text
        self.items = items
    }

    /// 64 MiB, 1,024 tables of 4,096 columns, 16,777,216 rows, texts of 64 KiB, 262,144 items.
    public static let standard = TableLimits()
}
