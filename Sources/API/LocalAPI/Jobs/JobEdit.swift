// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A value for a field. Without text and bytes it is NULL.
package struct JobValue: JSONRecord {
    /// The name of the field.
    package var field: String
    /// The value as text.
    package var text: String?
    /// The content of a file, in Base64.
    package var base64: String?

    /// Creates a value.
    package init(_ field: String, text: String? = nil, base64: String? = nil) {
        (self.field, self.text, self.base64) = (field, text, base64)
    }

    package static let members: [JSONMember<Self>] = [
        .init("field", \.field), .init("text", \.text), .init("base64", \.base64),
    ]
}

/// A change of rows, and what is done with it.
package struct JobEdit: JSONRecord {
    /// The kind of the change.
    package enum Kind: String, JSONWord {
        case insert, update, delete
    }

    /// The kind of the change.
    package var kind = Kind.insert
    /// The key of the row; nil for the rows that satisfy the predicate of the job.
    package var key: String?
    /// The values that are set.
    package var values: [JobValue] = []
    /// Values that the row must still have.
    package var expected: [JobValue] = []
    /// The maximum number of rows; nil for any.
    package var mostRows: Int64?
    /// Shows the changes, and sends nothing.
    package var isDryRun = false
    /// Overwrites rows that others changed.
    package var isForced = false
    /// Sends changes of unknown outcome again.
    package var isRetried = false
    /// The file for pending changes; nil to keep none.
    package var pendingPath: String?
    /// References between tables, as `DETAIL.FIELD=MASTER.FIELD`.
    package var references: [String] = []
    /// The numbers of the changes to drop, from 1; empty for all.
    package var numbers: [Int64] = []

    package static let members: [JSONMember<Self>] = [
        .init("kind", \.kind), .init("key", \.key), .init("values", \.values), .init("expected", \.expected),
        .init("mostRows", \.mostRows), .init("isDryRun", \.isDryRun), .init("isForced", \.isForced),
        .init("isRetried", \.isRetried), .init("pendingPath", \.pendingPath), .init("references", \.references),
        .init("numbers", \.numbers),
    ]
}
