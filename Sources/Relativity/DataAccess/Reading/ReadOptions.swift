// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The user's rules for a read.
package struct ReadOptions: Hashable, Sendable {
    /// Sends everything that a request can express, and filters nothing of that again.
    package var trustsServer = false
    /// Fails instead of filtering, sorting, selecting or counting here what the server does not.
    package var serverOnly = false
    /// Reads all rows, and filters and sorts them here.
    package var isLocal = false
    /// The maximum number of rows that are read from the server if it does less than was asked for.
    package var maximumRows = 1_000_000
    /// The maximum bytes of the temporary files of a sort or a statement here.
    package var temporaryBytes = 1 << 30
    /// The maximum time of a statement that runs here, after its tables were read.
    package var statementTime = Duration.seconds(60)

    /// Creates the default rules.
    package init() {}
}

/// A part of a query that a server may not do, or all of it.
package enum ReadStep: String, Hashable, Sendable {
    /// The whole read.
    case read
    /// The choice of rows.
    case filter
    /// The order of rows.
    case sort
    /// The choice of fields.
    case select
    /// The maximum number of rows.
    case limit
    /// The number of rows.
    case count
    /// A statement.
    case sql
}

/// The reason why a step is done here and not by the server, or elsewhere.
package enum ReadReason: Hashable, Sendable {
    /// The user asked for it.
    case isLocal
    /// The server is known not to have the feature.
    case lacks(ServerFeature)
    /// The server refused a request with this step, and accepted one without it.
    case refused
    /// Parts of the predicate are not sent, because the server may judge them differently. Not empty.
    case unsent([PredicatePlan.UnsentPart])
    /// A request contains at most one field to sort by.
    case severalFields(Int)
    /// A condition or parameters, which are not translated to a statement.
    case notInStatement
    /// The server is used at an alternate address that the user has not agreed to have the same database.
    case otherDatabase
}

/// A step that was done here and not by the server, or at another address. Each one is worth a note for the user.
package struct ReadNote: Hashable, Sendable {
    /// The name of the table.
    package let table: String
    /// The step.
    package let step: ReadStep
    /// The reason.
    package let reason: ReadReason

    /// Creates a note.
    package init(table: String, step: ReadStep, reason: ReadReason) {
        self.table = table
        self.step = step
        self.reason = reason
    }

    /// The note of every read at an address that may have another database.
    package static let otherDatabase = ReadNote(table: "", step: .read, reason: .otherDatabase)
}
