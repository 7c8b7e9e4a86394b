// SPDX-License-Identifier: Apache-2.0

/// The format that the extension of a file's name shows, in any case of letters.
package enum NamedFormat: Hashable, Sendable {
    /// No extension, or `.txt`.
    case plain
    case rows(JobOutput.Format)
    /// An SQLite database.
    case database
    /// Any other extension, with its dot.
    case other(String)

    private static let rows: KeyValuePairs<String, JobOutput.Format> = [
        ".csv": .csv, ".tsv": .tsv, ".json": .json, ".jsonl": .jsonl, ".ndjson": .jsonl, ".bin2": .bin2,
        ".arrow": .arrowFile, ".arrows": .arrow,
    ]
    private static let databases: Set<String> = [".db", ".db3", ".sqlite", ".sqlite3"]

    /// The extensions of rows, as a list for users.
    package static var extensions: String { (rows.map(\.key) + [".txt"]).joined(separator: ", ") }

    /// - Parameter path: a name, or a path. A name that begins with its only dot has no extension.
    package init(of path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else {
            self = .plain
            return
        }
        let suffix = name[dot...].lowercased()
        if let format = Self.rows.first(where: { $0.key == suffix })?.value {
            self = .rows(format)
        } else if Self.databases.contains(suffix) {
            self = .database
        } else {
            self = suffix == ".txt" ? .plain : .other(String(name[dot...]))
        }
    }
}
