// SPDX-License-Identifier: Apache-2.0

import Documents
import Endpoints

/// A value of the configuration with its origin, which survives the merge of the layers.
struct ConfigurationNode: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case table([String: ConfigurationNode])
        /// `[[name]]`, at least one.
        case tables([ConfigurationNode])
        /// Any other value.
        case value(TOMLValue)
    }

    var content: Content
    var origin: ConfigurationOrigin

    init(_ content: Content, _ origin: ConfigurationOrigin) {
        self.content = content
        self.origin = origin
    }

    /// The keys that identify a table among those of an array, and are unique in it. The first that exists is used.
    private static let identifiers = ["name", "type"]

    /// The name of a table in an array.
    var identity: String? {
        guard case .table(let members) = content else { return nil }
        for key in Self.identifiers {
            if case .value(.string(let text))? = members[key]?.content { return text }
        }
        return nil
    }
}

extension [String: ConfigurationNode] {
    /// Parses the text of a layer.
    ///
    /// - Parameter origin: the layer and the file.
    init(parsing text: String, maximumBytes: Int, _ origin: ConfigurationOrigin) throws(ConfigurationError) {
        guard text.utf8.count <= maximumBytes else {
            throw ConfigurationError(.tooLarge(limit: maximumBytes), at: origin)
        }
        do {
            let document = try TOMLDocument.parseWithLines(text)
            self = Nodes(lines: document.lines, origin: origin).members(document.values, at: [])
        } catch {
            let reason = ConfigurationError.Reason.syntax(column: error.column, reason: "\(Printable(error.reason))")
            throw ConfigurationError(reason, at: origin.at(line: error.line))
        }
    }

    /// One plain value, `table.key`, from outside of a file.
    init(_ table: String, _ key: String, text: String, _ origin: ConfigurationOrigin) {
        let value = ConfigurationNode(.value(TOMLValue(written: text)), origin)
        self = [table: ConfigurationNode(.table([key: value]), origin)]
    }

    /// Adds the values of a later layer. They replace those of the same key; tables are merged. In an array of tables, a
    /// table replaces the whole table of the same name from an earlier layer, and the others are added. An empty array
    /// removes the tables of earlier layers.
    mutating func merge(_ later: Self) {
        for (key, node) in later {
            switch (self[key]?.content, node.content) {
            case (.table(var members)?, .table(let added)):
                members.merge(added)
                self[key] = ConfigurationNode(.table(members), node.origin)
            case (.tables(let earlier)?, .tables(let added)):
                self[key] = ConfigurationNode(.tables(Self.merged(earlier, added)), node.origin)
            default: self[key] = node
            }
        }
    }

    private static func merged(_ earlier: [ConfigurationNode], _ later: [ConfigurationNode]) -> [ConfigurationNode] {
        var tables = earlier
        for table in later {
            // Two tables of one layer with the same name are an error, which the reader reports.
            let place = tables.indices.first { $0 < earlier.count && tables[$0].identity == table.identity }
            if let place, table.identity != nil, tables[place] == earlier[place] {
                tables[place] = table
            } else {
                tables.append(table)
            }
        }
        return tables
    }
}

/// Adds the origins to parsed values.
private struct Nodes {
    let lines: [[String]: Int]
    let origin: ConfigurationOrigin

    func members(_ values: [String: TOMLValue], at path: [String]) -> [String: ConfigurationNode] {
        Dictionary(uniqueKeysWithValues: values.map { ($0, node($1, at: path + [$0])) })
    }

    private func node(_ value: TOMLValue, at path: [String]) -> ConfigurationNode {
        let content: ConfigurationNode.Content
        if let table = value.table {
            content = .table(members(table, at: path))
        } else if let array = value.array, !array.isEmpty, array.allSatisfy({ $0.table != nil }) {
            content = .tables(array.enumerated().map { node($1, at: path + ["\($0)"]) })
        } else {
            content = .value(value)
        }
        return ConfigurationNode(content, origin.at(line: lines[path]))
    }
}

extension TOMLValue {
    /// A value as written in a variable or an option: TOML, or else the text itself, so that texts need no quotes.
    init(written text: String) {
        let parsed = try? TOMLDocument.parse("value = \(text)")
        self = parsed.flatMap { $0.count == 1 ? $0["value"] : nil } ?? .string(text)
    }

    /// The value in the notation of TOML.
    var text: String {
        switch self {
        case .string(let text): return Self.quoted(text)
        case .integer(let number): return "\(number)"
        case .float(let number): return "\(number)"
        case .boolean(let flag): return "\(flag)"
        case .moment: return "a date or time"
        case .array(let array): return "[\(array.map(\.text).joined(separator: ", "))]"
        case .table(let members):
            let pairs = members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)) = \($1.text)" }
            return "{\(pairs.joined(separator: ", "))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }
}
