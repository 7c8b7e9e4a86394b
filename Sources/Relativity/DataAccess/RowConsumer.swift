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
}
