// SPDX-License-Identifier: Apache-2.0

/// A where clause as XML: the WhereClause of a TableRequestInfoV5, and the parameter `aDynamicWhereXML`.
public enum DynamicWhere {
    static let namespace = "http://www.remobjects.com/schemas/dataabstract/queries/5.0"
    static let version = "5.0"

    /// The clause on one line, without an XML declaration, as the vendor's client writes it but with `&`, `<` and `>`
    /// escaped.
    ///
    /// - Throws: `tooMany`, `unwritable`.
    public static func xml(
        _ expression: WhereExpression,
        limits: WhereLimits = .standard
    ) throws(WhereError) -> String {
        var writer = WhereWriter(limits: limits)
        try writer.write(expression, depth: limits.depth)
        let text = "<query xmlns=\"\(namespace)\" version=\"\(version)\"><where>\(writer.text)</where></query>"
        guard text.utf8.count <= limits.bytes else { throw .tooMany("bytes", limit: limits.bytes) }
        return text
    }

    /// Namespace and version are not compared, and attributes that nobody knows are passed over; an element that nobody
    /// knows is refused, because the condition would be another without it.
    ///
    /// - Throws: `malformed`, `tooMany`, `outOfMemory`.
    public static func expression(
        parsing xml: String,
        limits: WhereLimits = .standard
    ) throws(WhereError) -> WhereExpression {
        let reader = WhereReader(limits: limits)
        return try reader.read(xml)
    }
}
