// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The terminal of `browse`. The screen is standard output.
package struct JobBrowse: JSONRecord {
    /// The exit status of the helper if the user wants the list of servers.
    package static let serversStatus: Int32 = 100

    /// The descriptor of the keys, which the helper inherits. Standard input is the job.
    package var keysDescriptor: Int64 = -1
    /// Whether edits are refused.
    package var isReadOnly = false
    /// Whether relctl can show a list of servers.
    package var hasServerList = false
    /// A sentence that is shown at the beginning; nil for none.
    package var note: String?
    /// Rules for the colours of rows: `PREDICATE=TEXT/BACKGROUND`.
    package var colors: [String] = []

    package static let members: [JSONMember<Self>] = [
        .init("keysDescriptor", \.keysDescriptor), .init("isReadOnly", \.isReadOnly),
        .init("hasServerList", \.hasServerList), .init("note", \.note), .init("colors", \.colors),
    ]
}
