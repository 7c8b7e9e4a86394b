// SPDX-License-Identifier: Apache-2.0

/// The abilities of a server that decide which parts of a predicate it is asked for.
public struct WhereCapabilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The server takes a where clause.
    public static let `where` = Self(rawValue: 1)
    /// The server is proven to read a DateTime constant as `PredicatePlan.constant(_:)` writes it.
    public static let dates = Self(rawValue: 2)
    /// The server is proven to take `Equal` with `<null />`, also under `Not`.
    public static let nullTests = Self(rawValue: 4)
    /// The server's judgement is trusted: it is sent everything that a where clause can express, as it is.
    public static let trusted = Self(rawValue: 8)
}

/// The division of a predicate between the server and the client.
///
/// The rows that satisfy the predicate are those that satisfy both `sent` and `residual`.
public struct PredicatePlan: Hashable, Sendable {
    /// The reason why a part is not sent.
    public enum Reason: Hashable, Sendable {
        /// The server takes no where clause.
        case noWhere
        /// `!=`, NOT IN, NOT LIKE and the like: a server that treats more values as equal would leave out rows.
        case negation
        /// An order comparison of text depends on the server's collation.
        case textOrder
        /// A where clause cannot express `[c]` and `[d]`.
        case folding
        /// Text beyond ASCII.
        case notASCII
        /// Text beyond ASCII for a field with a code page: a clause has wide text, which the server converts by a page that
        /// is not known here.
        case codePage
        /// Text that is empty, begins or ends with a blank, or has control characters, which may not arrive unchanged.
        case fragileText
        /// A pattern that the server's LIKE cannot express, or without any text to ask for.
        case pattern
        /// The server is not proven to read dates.
        case dates
        /// The server is not proven to take tests for NULL.
        case nullTests
        /// The type of the field is never compared by the server.
        case fieldType(DataType)
        /// Two fields are compared.
        case twoFields
        /// A number that a value of the field cannot have, or too large for a constant.
        case value
        /// An alternative of the OR is not sent.
        case alternative
        /// The clause exceeds `WhereLimits`.
        case tooLarge
    }

    /// A part that is not sent, with its negation at the leaves.
    public struct UnsentPart: Hashable, Sendable {
        /// The part.
        public let predicate: Expression
        /// The reason.
        public let reason: Reason
    }

    /// The condition for the server, which no wanted row fails; nil if there is none.
    public private(set) var sent: WhereExpression?
    /// The condition that the rows of the server must still satisfy; nil if they all do. `constant(false)` means that
    /// no row satisfies the predicate, so that the server need not be asked.
    public let residual: Expression?
    /// The parts that are not sent, from left to right. An OR follows its alternatives.
    public private(set) var unsent: [UnsentPart]

    /// Divides a predicate.
    ///
    /// - Throws: `unknownField`, `ambiguousField`, `mismatch`, `unmappable`.
    public init(
        _ predicate: Expression,
        fields: [DataColumn],
        capabilities: WhereCapabilities,
        limits: WhereLimits = .standard
    ) throws(PredicateError) {
        let normal = try NormalPredicate(predicate, fields)
        var planner = PredicatePlanner(capabilities)
        if case .constant(let value) = normal {
            sent = nil
            residual = value ? nil : .constant(false)
            unsent = []
            return
        }
        sent = planner.expression(for: normal)
        unsent = planner.unsent
        if let expression = sent, (try? DynamicWhere.xml(expression, limits: limits)) == nil {
            sent = nil
            unsent = [UnsentPart(predicate: normal.predicate, reason: .tooLarge)]
        }
        guard capabilities.contains(.trusted), sent != nil else {
            residual = predicate
            return
        }
        residual = planner.unsentConjunction(of: normal)
    }

    /// Writes a date as a constant, in whole seconds: `2020-01-02T03:04:05`.
    public static func constant(_ date: PredicateDate) -> WhereExpression {
        .constant(date.wholeSeconds, type: DataType.dateTime.shortName)
    }
}

/// Translates a normal predicate into a where clause.
struct PredicatePlanner {
    private let capabilities: WhereCapabilities
    private(set) var unsent: [PredicatePlan.UnsentPart] = []

    init(_ capabilities: WhereCapabilities) {
        self.capabilities = capabilities
    }

    /// Returns a condition that holds for every row for which the predicate does; nil if every row may be one.
    mutating func expression(for condition: NormalPredicate) -> WhereExpression? {
        switch condition {
        case .constant: return nil
        case .leaf(let leaf):
            switch self.expression(for: leaf) {
            case .success(let expression): return expression
            case .failure(let obstacle):
                unsent.append(.init(predicate: leaf.predicate, reason: obstacle.reason))
                return nil
            }
        case .all(let parts):
            let expressions = parts.compactMap { expression(for: $0) }
            return expressions.isEmpty ? nil : .joined(.and, expressions[...])
        case .any(let parts):
            let expressions = parts.compactMap { expression(for: $0) }
            guard expressions.count < parts.count else { return .joined(.or, expressions[...]) }
            unsent.append(.init(predicate: condition.predicate, reason: .alternative))
            return nil
        }
    }

    private func expression(for leaf: PredicateLeaf) -> Result<WhereExpression, LeafTranslation.Obstacle> {
        guard capabilities.contains(.where) else { return .failure(.init(.noWhere)) }
        let translation = LeafTranslation(leaf, capabilities)
        do throws(LeafTranslation.Obstacle) {
            return .success(try translation.expression())
        } catch {
            return .failure(error)
        }
    }

    /// Returns the parts of the outermost AND that are not sent as a whole; nil if all are.
    func unsentConjunction(of condition: NormalPredicate) -> Expression? {
        let parts = if case .all(let parts) = condition { parts } else { [condition] }
        let left = parts.filter { !isSent($0) }.map(\.predicate)
        return left.count > 1 ? .and(left) : left.first
    }

    private func isSent(_ condition: NormalPredicate) -> Bool {
        switch condition {
        case .constant: false
        case .leaf(let leaf): (try? expression(for: leaf).get()) != nil
        case .all(let parts), .any(let parts): parts.allSatisfy(isSent)
        }
    }
}

extension WhereExpression {
    /// Joins conditions as a balanced tree, because servers and readers limit the depth.
    fileprivate static func joined(_ operation: WhereOperator, _ parts: ArraySlice<WhereExpression>) -> WhereExpression
    {
        guard parts.count > 1 else { return parts.first ?? .null }
        let middle = parts.startIndex + parts.count / 2
        return .binary(operation, joined(operation, parts[..<middle]), joined(operation, parts[middle...]))
    }
}
