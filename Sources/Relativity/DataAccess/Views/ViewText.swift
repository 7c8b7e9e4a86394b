// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The reason why a text is no extra field.
package enum ViewTextError: Error, Hashable, Sendable {
    /// The text does not have the form of a lookup, calculated field or reference. The text is that of the user.
    case form(String)
    /// The type is unknown.
    case type(String)
    /// The expression is invalid.
    case expression(field: String, ExpressionError)
}

extension TableView {
    /// Parses the fields of a view.
    ///
    /// - Parameters:
    ///   - lookups: `NAME=FIELD:TABLE.KEY:SHOWN`, for several keys `NAME=A,B:TABLE.C,D:SHOWN`, each perhaps with `:TEXT`
    ///     for a key that is not found.
    ///   - calculated: `NAME=EXPRESSION` or `NAME:TYPE=EXPRESSION`.
    ///   - references: `DETAIL.FIELD=MASTER.FIELD`.
    package init(
        _ table: String,
        lookups: [String],
        calculated: [String],
        references: [String]
    ) throws(ViewTextError) {
        self.init(table)
        for text in lookups { self.lookups.append(try LookupField(parsing: text)) }
        for text in calculated { self.calculated.append(try CalculatedField(parsing: text)) }
        for text in references {
            guard let reference = KeyReference(text) else { throw .form(text) }
            self.references.append(reference)
        }
    }
}

extension LookupField {
    init(parsing text: String) throws(ViewTextError) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty else { throw .form(text) }
        let parts = sides[1].split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, let point = parts[1].lastIndex(of: "."), point != parts[1].startIndex else {
            throw .form(text)
        }
        func names(_ list: Substring) -> [String] {
            list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (source, keys) = (names(parts[0]), names(parts[1][parts[1].index(after: point)...]))
        guard source.count == keys.count, !(source + keys).contains(""), !parts[2].isEmpty else { throw .form(text) }
        let table = String(parts[1][..<point])
        self.init(
            String(sides[0]),
            source,
            in: .table(table, keys: keys, result: String(parts[2])),
            missing: parts.count > 3 ? String(parts[3]) : nil
        )
    }
}

extension CalculatedField {
    init(parsing text: String) throws(ViewTextError) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { throw .form(text) }
        let head = sides[0].split(separator: ":", omittingEmptySubsequences: false)
        guard head.count <= 2, !head[0].isEmpty else { throw .form(text) }
        try self.init(String(head[0]), String(sides[1]), type: head.count > 1 ? String(head[1]) : nil)
    }

    /// Creates a field from texts.
    ///
    /// - Parameter type: such as `Currency`; nil for the type of the expression.
    /// - Throws: `type`, `expression`.
    package init(_ name: String, _ text: String, type: String?) throws(ViewTextError) {
        var result: DataType?
        if let type {
            result = DataType.allNames[type.lowercased()]
            guard result != nil else { throw .type(type) }
        }
        do throws(ExpressionError) {
            self.init(name, try Expression(parsing: text), as: result)
        } catch {
            throw .expression(field: name, error)
        }
    }
}

extension DataType {
    /// The types by name in small letters, without `dat`.
    fileprivate static let allNames = Dictionary(
        allCases.filter { $0 != .unknown && $0 != .cursor }.map { ($0.shortName.lowercased(), $0) }
    ) { first, _ in first }
}
