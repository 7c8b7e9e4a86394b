// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A briefcase, and what is done with it.
package struct JobBriefcase: JobRecord {
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

        /// Whether the job needs an adapter.
        package var usesServer: Bool { [.save, .diff, .refresh, .keep].contains(self) }

        /// Whether the job is about the directory of kept sets instead of one briefcase.
        package var usesKeptSets: Bool { [.keep, .unkeep, .listKept, .findKept].contains(self) }
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

    /// Creates a job for `show` without a path.
    package init() {}

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("action", &action)
        try coder.member("path", &path)
        try coder.member("isFolder", &isFolder)
        try coder.member("version", ifPresent: &version)
        try coder.member("properties", &properties)
        try coder.member("isForced", &isForced)
        try coder.member("isKept", &isKept)
        try coder.member("isApplied", &isApplied)
    }
}
