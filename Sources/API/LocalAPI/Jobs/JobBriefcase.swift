// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A briefcase, and what is done with it.
package struct JobBriefcase: JSONRecord {
    /// The action.
    package enum Action: String, JSONWord, CaseIterable {
        /// Downloads tables into a new briefcase.
        case save
        /// Prints the rows of a table.
        case load
        /// Names the briefcases of a directory.
        case list
        /// Prints tables, properties and age.
        case show
        /// Compares tables with the server.
        case diff
        /// Downloads the tables again.
        case refresh
        /// Removes it.
        case delete
        /// Downloads tables into the kept set of a data service.
        case keep
        /// Removes tables from a kept set, or the set.
        case unkeep
        /// Shows the kept sets.
        case listKept
        /// Prints what relctl needs to refresh the kept sets.
        case findKept
    }

    /// The action.
    package var action = Action.show
    /// The path of the file or the folder; of `list` the directory. An edit of a briefcase and an import into it
    /// have it too, and no adapter.
    package var path = ""
    /// Whether a new briefcase is a folder.
    package var isFolder = false
    /// The version that is stored, or that the briefcase must have; nil for any.
    package var version: String?
    /// Properties that are stored.
    package var properties: [JobParameter] = []
    /// Whether pending changes may be lost.
    package var isForced = false
    /// Whether the briefcase is a kept set, which also records its login.
    package var isKept = false
    /// Whether `refresh` applies the pending changes first.
    package var isApplied = false

    package static let members: [JSONMember<Self>] = [
        .init("action", \.action), .init("path", \.path), .init("isFolder", \.isFolder), .init("version", \.version),
        .init("properties", \.properties), .init("isForced", \.isForced), .init("isKept", \.isKept),
        .init("isApplied", \.isApplied),
    ]
}
