// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Receives the rows of one or more tables, in order: a format, an export, or a reply of the Data API.
package protocol RowConsumer {
    /// Starts a table. The previous one is complete.
    mutating func begin(_ table: TableHead) async throws

    /// Takes some rows of the table.
    ///
    /// - Parameter indices: the rows to take, ascending; nil for all.
    mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws

    /// Learns how much of the reply has been received, after each part of it. Nothing needs to be done.
    mutating func received(_ progress: ReplyProgress)

    /// Ends the last table and the output.
    mutating func finish() async throws

    /// Learns that the read has failed, instead of `finish`. Only a format that would look complete needs to do something.
    mutating func fail() async
}

extension RowConsumer {
    package mutating func received(_ progress: ReplyProgress) {}

    package mutating func fail() async {}

    /// Takes some columns of rows, in batches.
    ///
    /// - Parameters:
    ///   - columns: nil for all, without a copy.
    ///   - rowLimit: the maximum bytes of a row.
    /// - Throws: `GrowthError.row`; the error of the consumer.
    mutating func add(_ rows: DataRows, _ indices: [Int]?, selecting columns: [Int]?, rowLimit: Int) async throws {
        guard let columns else { return try await add(rows, indices) }
        var left = (indices ?? Array(rows.indices))[...]
        while !left.isEmpty {
            let part = try rows.batch(of: columns, left, limit: rowLimit)
            left = left.dropFirst(part.count)
            try await add(part, nil)
        }
    }
}
