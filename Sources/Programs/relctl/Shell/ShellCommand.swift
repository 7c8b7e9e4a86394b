// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// A command of the SQL shell, which begins with a backslash.
enum ShellCommand: Hashable {
    case help
    case tables
    /// The fields of a table; of all tables for nil.
    case describe(String?)
    case toggleExpanded
    case include(String)
    /// Nil is the terminal.
    case output(String?)
    case toggleTiming
    case format(JobOutput.Format)
    case quit

    /// - Throws: a usage failure for anything else.
    init(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 1)
        let argument = words.count > 1 ? Self.trimmed(words[1]) : nil
        switch (words.first, argument) {
        case ("\\?", nil): self = .help
        case ("\\dt", nil): self = .tables
        case ("\\d", let name): self = .describe(name)
        case ("\\x", nil): self = .toggleExpanded
        case ("\\i", let path?): self = .include(path)
        case ("\\o", let path): self = .output(path)
        case ("\\timing", nil): self = .toggleTiming
        case ("\\format", let name?):
            guard let format = JobOutput.Format(argument: name), !format.isBinary else {
                throw Failure(.usage, "no such format: \(Printable(name))")
            }
            self = .format(format)
        case ("\\q", nil): self = .quit
        default: throw Failure(.usage, "unknown command: \(Printable(again: line)); \\? lists the commands")
        }
    }

    /// The commands with what they do, a line each.
    static let list = """
        \\?              list these commands
        \\d [TABLE]      describe a table, or list all tables
        \\dt             list the tables
        \\x              show rows as lists of fields, or as a table again
        \\i FILE         run the statements of a file
        \\o [FILE]       write rows to a file, or to the terminal again
        \\format FORMAT  the format of rows: table, csv, tsv, json or jsonl
        \\timing         show the time of each statement, or no longer
        \\q              end the shell

        A semicolon ends a statement, Ctrl-C discards it.

        """

    private static func trimmed(_ text: Substring) -> String? {
        let start = text.drop { $0 == " " }
        let count = start.reversed().drop { $0 == " " }.count
        return count == 0 ? nil : String(start.prefix(count))
    }
}

/// The names that the SQL shell completes.
struct SchemaNames: Hashable {
    private static let keywords = [
        "select", "from", "where", "group by", "order by", "having", "left join", "inner join", "union all", "distinct",
        "count(", "sum(", "min(", "max(", "avg(", "between", "like", "is null", "is not null", "and", "or", "not", "as",
        "desc", "top",
    ]

    /// The fields of each table, by its name.
    private let tables: [(name: String, fields: [String])]

    init(_ tables: [(name: String, fields: [String])] = []) {
        self.tables = tables.map { ($0.name, $0.fields.filter(Self.isShown)) }.filter { Self.isShown($0.name) }
    }

    static func == (left: SchemaNames, right: SchemaNames) -> Bool {
        left.tables.elementsEqual(right.tables) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(tables.count) }

    /// The word before the cursor, and what it may become.
    func completions(of prefix: String) -> (word: String, candidates: [String]) {
        let word = String(prefix.reversed().prefix { $0.isLetter || $0.isNumber || "_.\\".contains($0) }.reversed())
        if prefix.hasPrefix("\\") {
            let inCommand = word == prefix
            return (word, inCommand ? matching(word, Self.commands) : matching(word, tables.map(\.name)))
        }
        if let dot = word.lastIndex(of: ".") {
            let table = word[..<dot].lowercased()
            let fields = tables.first { $0.name.lowercased() == table }?.fields ?? tables.flatMap(\.fields)
            let start = String(word[word.index(after: dot)...])
            return (start, matching(start, fields))
        }
        let names = tables.map(\.name) + tables.flatMap(\.fields)
        return (word, matching(word, names + (word.isEmpty ? [] : Self.keywords)))
    }

    /// The beginning that all candidates share, ignoring case, as the first one writes it.
    static func commonStart(of candidates: [String]) -> String {
        guard let first = candidates.first else { return "" }
        let count = candidates.dropFirst().map { other in
            zip(first.lowercased(), other.lowercased()).prefix { $0 == $1 }.count
        }.min()
        return count.map { String(first.prefix($0)) } ?? first
    }

    private static let commands = ["\\?", "\\d", "\\dt", "\\x", "\\i", "\\o", "\\timing", "\\format", "\\q"]

    private func matching(_ start: String, _ names: [String]) -> [String] {
        let start = start.lowercased()
        var seen: Set<String> = []
        return names.filter { $0.lowercased().hasPrefix(start) && seen.insert($0).inserted }
    }

    /// Names come from the server. One with other characters would need quotes, and is typed by hand.
    private static func isShown(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && "\(Printable(name))" == name
    }
}
