// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A where clause as XML: the WhereClause of a TableRequestInfoV5, and the parameter `aDynamicWhereXML`.
public enum DynamicWhere {
    static let namespace = "http://www.remobjects.com/schemas/dataabstract/queries/5.0"
    static let version = "5.0"

    /// Writes the clause on one line, without an XML declaration, as the vendor's client does, except that `&`, `<`
    /// and `>` are escaped.
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

    /// Parses a clause. Namespace and version are not checked, and unknown attributes are ignored. An unknown element
    /// is rejected, because ignoring it would change the condition.
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

/// A condition on the rows of a table, or an operand of one (docs/wire.md, "Dynamic where").
public indirect enum WhereExpression: Hashable, Sendable {
    /// A value as text, with the name of its type as in `DataType` but without `dat`; nil is null.
    case constant(String?, type: String)
    /// A column. The vendor's products other than its JavaScript client also name the table.
    case field(String, table: String? = nil)
    case null
    /// A value that the server fills in.
    case macro(String)
    /// A parameter of the query. By default `size` is omitted.
    case parameter(String, type: String, size: Int? = nil)
    /// The right operand of `in` and `notIn`.
    case list([WhereExpression])
    /// The names of these operations are not documented. The name may also be missing.
    case unary(WhereOperator?, WhereExpression)
    case binary(WhereOperator, WhereExpression, WhereExpression)
    case between(WhereExpression, WhereExpression, WhereExpression)
}

/// The name of an operation in a where clause. Servers may know more than those listed here.
public struct WhereOperator: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let addition = Self(rawValue: "Addition")
    public static let and = Self(rawValue: "And")
    public static let concat = Self(rawValue: "Concat")
    public static let divide = Self(rawValue: "Divide")
    public static let equal = Self(rawValue: "Equal")
    public static let greater = Self(rawValue: "Greater")
    public static let greaterOrEqual = Self(rawValue: "GreaterOrEqual")
    public static let `in` = Self(rawValue: "In")
    public static let less = Self(rawValue: "Less")
    public static let lessOrEqual = Self(rawValue: "LessOrEqual")
    public static let like = Self(rawValue: "Like")
    public static let modulo = Self(rawValue: "Modulo")
    public static let multiply = Self(rawValue: "Multiply")
    public static let notEqual = Self(rawValue: "NotEqual")
    public static let notIn = Self(rawValue: "NotIn")
    public static let notLike = Self(rawValue: "NotLike")
    public static let or = Self(rawValue: "Or")
    public static let subtraction = Self(rawValue: "Subtraction")
    public static let xor = Self(rawValue: "Xor")
    /// A unary operation, which only a third party documents.
    public static let not = Self(rawValue: "Not")

    /// The documented binary operations. Unary operations are not documented.
    public static let binary: [WhereOperator] = [
        .addition, .and, .concat, .divide, .equal, .greater, .greaterOrEqual, .in, .less, .lessOrEqual, .like, .modulo,
        .multiply, .notEqual, .notIn, .notLike, .or, .subtraction, .xor,
    ]
}

/// The elements of a where clause.
enum WhereElement: String {
    case query
    case `where`
    case constant
    case field
    case null
    case macro
    case parameter
    case list
    case unaryoperation
    case binaryoperation
    case between

    /// Whether an element may contain another one.
    func takes(_ child: WhereElement) -> Bool {
        switch self {
        case .query: child == .where
        case .where, .list, .unaryoperation, .binaryoperation, .between: child != .query && child != .where
        case .constant, .field, .null, .macro, .parameter: false
        }
    }

    var hasText: Bool {
        switch self {
        case .constant, .field, .macro, .parameter: true
        default: false
        }
    }
}

/// Limits for reading and writing a where clause.
public struct WhereLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    public var bytes: Int
    /// Nesting depth of expressions.
    public var depth: Int
    /// Total number of expressions.
    public var expressions: Int

    /// Creates limits; the defaults are those of `standard`.
    public init(bytes: Int = 1 << 20, depth: Int = 64, expressions: Int = 1 << 14) {
        self.bytes = bytes
        self.depth = depth
        self.expressions = expressions
    }

    /// 1 MiB, 64 levels, 16,384 expressions.
    public static let standard = WhereLimits()
}

/// The reason why a where clause cannot be read or written. Contains no part of the clause.
public enum WhereError: Error, Hashable, Sendable {
    /// The text violates XML or the format at `offset`, counted in bytes of UTF-8.
    case malformed(reason: String, offset: Int)
    /// A number exceeds `WhereLimits`.
    case tooMany(_ what: String, limit: Int)
    /// A text contains a character that XML cannot represent.
    case unwritable
    case outOfMemory
}

extension WhereError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason, let offset): "malformed where clause: \(reason) at byte \(offset)"
        case .tooMany(let what, let limit): "more than \(limit) \(what) in a where clause"
        case .unwritable: "a text of the where clause holds a character that XML cannot hold"
        case .outOfMemory: "no memory for reading a where clause"
        }
    }
}

extension WhereExpression {
    /// Whether a constant has characters beyond ASCII.
    package var hasTextBeyondASCII: Bool {
        switch self {
        case .constant(let text, _): text?.utf8.contains { $0 >= 0x80 } == true
        case .field, .null, .macro, .parameter: false
        case .list(let parts): parts.contains(where: \.hasTextBeyondASCII)
        case .unary(_, let part): part.hasTextBeyondASCII
        case .binary(_, let left, let right): left.hasTextBeyondASCII || right.hasTextBeyondASCII
        case .between(let value, let low, let high): [value, low, high].contains(where: \.hasTextBeyondASCII)
        }
    }

    /// The names of the fields, in lower case.
    package var fieldNames: Set<NameKey> {
        switch self {
        case .field(let name, _): [NameKey(name)]
        case .constant, .null, .macro, .parameter: []
        case .list(let parts): parts.reduce(into: []) { $0.formUnion($1.fieldNames) }
        case .unary(_, let part): part.fieldNames
        case .binary(_, let left, let right): left.fieldNames.union(right.fieldNames)
        case .between(let value, let low, let high):
            value.fieldNames.union(low.fieldNames).union(high.fieldNames)
        }
    }
}
