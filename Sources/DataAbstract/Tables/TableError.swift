// SPDX-License-Identifier: Apache-2.0

/// Why a stream of tables cannot be read, or not be written. Holds no value of a cell.
public enum TableError: Error, Hashable, Sendable {
    /// The bytes break the format there, counted from the first byte of the stream.
    case malformed(reason: String, offset: Int)
    /// More of something than `TableLimits` allows.
    case tooMany(_ what: String, limit: Int, offset: Int)
    /// A row has not one value for each column.
    case valueCount(expected: Int, found: Int)
    /// A value that the type of its column cannot hold.
    case unfit(column: String, type: DataType)
    /// The schema's fields or parameters do not all have the same number of properties, or do not match the columns.
    case unevenSchema
    /// Beyond the 2 GiB that the positions of a stream can count.
    case tooLong
}

extension TableError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason, let offset): "malformed stream: \(reason) at byte \(offset)"
        case .tooMany(let what, let limit, let offset): "more than \(limit) \(what) in a stream, at byte \(offset)"
        case .valueCount(let expected, let found): "a row of \(found) values for \(expected) columns"
        case .unfit(let column, let type): "a value that \(type.name) cannot hold, in column \(column.debugDescription)"
        case .unevenSchema: "a schema whose fields do not match each other or the columns"
        case .tooLong: "a stream of more than 2 GiB"
        }
    }
}
