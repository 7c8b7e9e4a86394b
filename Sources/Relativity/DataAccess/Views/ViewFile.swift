// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Documents
import Platform

/// Extra fields of tables, from a file in TOML (docs/expressions.md).
package struct ViewFile: Sendable {
    private var views: [TableView] = []

    /// Parses the text of a file.
    ///
    /// - Throws: `ViewFileError`.
    package init(parsing text: String) throws(ViewFileError) {
        let root: [String: TOMLValue]
        do throws(TOMLError) {
            root = try TOMLDocument.parse(text)
        } catch {
            throw .syntax(reason: error.reason, line: error.line, column: error.column)
        }
        var references: [KeyReference] = []
        for (key, value) in root {
            switch key {
            case "references":
                for element in try Self.texts(value, key) {
                    guard let reference = KeyReference(element) else { throw .value(key: key) }
                    references.append(reference)
                }
            case "field":
                guard let fields = value.array else { throw .value(key: key) }
                for (index, field) in fields.enumerated() {
                    guard let members = field.table else { throw .value(key: key) }
                    try add(ViewFileField(members, "field[\(index)]"))
                }
            default: throw .unknownKey(key)
            }
        }
        for index in views.indices { views[index].references = references }
    }

    /// The fields of a table, whose name is compared ignoring case; none if the file has none.
    package func view(of table: String) -> TableView {
        views.first { NameMatch.isSimilar($0.table, table) } ?? TableView(table)
    }

    private mutating func add(_ field: ViewFileField) throws(ViewFileError) {
        let table = try field.text("table")
        let index = views.firstIndex { NameMatch.isSimilar($0.table, table) } ?? views.count
        if index == views.count { views.append(TableView(table)) }
        if let calculated = try field.calculated {
            views[index].calculated.append(calculated)
        } else {
            views[index].lookups.append(try field.lookup)
        }
    }

    fileprivate static func texts(_ value: TOMLValue, _ key: String) throws(ViewFileError) -> [String] {
        guard let array = value.array else { throw .value(key: key) }
        let texts = array.compactMap(\.string)
        guard texts.count == array.count else { throw .value(key: key) }
        return texts
    }
}

/// The reason why a file of extra fields is invalid. Keys are those of the file, such as `field[0].name`.
package enum ViewFileError: Error, Hashable, Sendable {
    /// The text is no TOML.
    case syntax(reason: String, line: Int, column: Int)
    /// The file has a key that is not known, or one that does not belong to the others.
    case unknownKey(String)
    /// The key is missing, or its value is invalid.
    case value(key: String)
    /// An expression is invalid.
    case expression(key: String, ExpressionError)
}

/// A table `[[field]]`.
private struct ViewFileField {
    private static let shared: Set<String> = ["table", "name"]
    private static let ofCalculated = shared.union(["expression", "type"])
    private static let ofLookup = shared.union(["of", "in", "keys", "shown", "list", "missing"])

    private let members: [String: TOMLValue]
    private let key: String

    init(_ members: [String: TOMLValue], _ key: String) throws(ViewFileError) {
        (self.members, self.key) = (members, key)
        let known = members["expression"] == nil ? Self.ofLookup : Self.ofCalculated
        if let other = members.keys.filter({ !known.contains($0) }).min() { throw .unknownKey("\(key).\(other)") }
    }

    func text(_ name: String) throws(ViewFileError) -> String {
        guard let text = members[name]?.string else { throw .value(key: "\(key).\(name)") }
        return text
    }

    private func optionalText(_ name: String) throws(ViewFileError) -> String? {
        members[name] == nil ? nil : try text(name)
    }

    /// A text or several.
    private func texts(_ name: String) throws(ViewFileError) -> [String] {
        if let text = members[name]?.string { return [text] }
        guard let value = members[name] else { throw .value(key: "\(key).\(name)") }
        return try ViewFile.texts(value, "\(key).\(name)")
    }

    /// Nil for a lookup.
    var calculated: CalculatedField? {
        get throws(ViewFileError) {
            guard let expression = try optionalText("expression") else { return nil }
            let (name, type) = (try text("name"), try optionalText("type"))
            do throws(ViewTextError) {
                return try CalculatedField(name, expression, type: type)
            } catch {
                guard case .expression(_, let inner) = error else { throw ViewFileError.value(key: "\(key).type") }
                throw .expression(key: "\(key).expression", inner)
            }
        }
    }

    var lookup: LookupField {
        get throws(ViewFileError) {
            let content: LookupField.Content
            if let list = members["list"] {
                guard let entries = list.table else { throw .value(key: "\(key).list") }
                if let other = ["in", "keys", "shown"].first(where: { members[$0] != nil }) {
                    throw .unknownKey("\(key).\(other)")
                }
                var found: [LookupEntry] = []
                for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
                    guard let text = value.string else { throw .value(key: "\(key).list.\(name)") }
                    found.append(LookupEntry(.text(name), text))
                }
                content = .list(found)
            } else {
                content = .table(try text("in"), keys: try texts("keys"), result: try text("shown"))
            }
            return LookupField(try text("name"), try texts("of"), in: content, missing: try optionalText("missing"))
        }
    }
}
