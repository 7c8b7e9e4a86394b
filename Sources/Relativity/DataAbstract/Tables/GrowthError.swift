// SPDX-License-Identifier: Apache-2.0

/// A bound that was reached by what was made of rows. Limits are bytes unless stated otherwise.
public enum GrowthError: Error, Hashable, Sendable {
    /// The texts that expressions made for one row, as UTF-8.
    case texts(limit: Int)
    /// The steps that the comparisons of texts took for one row.
    case steps(limit: Int)
    /// One row as encoded, with its extra fields, or with fields that were selected several times.
    case row(limit: Int)
    /// The values that lookups and aggregates keep of other tables.
    case matches(limit: Int)
    /// One value, or one row, that a statement made in SQLite.
    case value(limit: Int)
    /// The memory of a statement in SQLite.
    case memory(limit: Int)
    /// The temporary files of a read or a statement.
    case temporary(limit: Int)

    /// The number that was exceeded.
    public var limit: Int {
        switch self {
        case .texts(let limit), .steps(let limit), .row(let limit), .matches(let limit), .value(let limit),
            .memory(let limit), .temporary(let limit):
            limit
        }
    }
}

extension GrowthError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .texts(let limit): "the expressions make more than \(limit) bytes of text for one row"
        case .steps(let limit): "the comparisons of texts take more than \(limit) steps for one row"
        case .row(let limit): "a row of the result has more than \(limit) bytes"
        case .matches(let limit): "lookups and aggregates keep more than \(limit) bytes of other tables"
        case .value(let limit): "the statement makes a value or a row of more than \(limit) bytes"
        case .memory(let limit): "the statement needs more than \(limit) bytes of memory"
        case .temporary(let limit): "the temporary files have more than \(limit) bytes"
        }
    }
}
