// SPDX-License-Identifier: Apache-2.0

/// An element that is open, with what has come of it so far.
struct WhereFrame {
    let element: WhereElement
    let attributes: [String: String]
    var text: [UInt8] = []
    var children: [WhereExpression] = []

    /// The expression that the element is; nil if something of it is missing or too much.
    var expression: WhereExpression? {
        // expat has checked that it is UTF-8.
        let text = String(decoding: text, as: UTF8.self)
        let operation = attributes["operator"].map(WhereOperator.init(rawValue:))
        switch element {
        case .query: return nil
        case .where: return children.count == 1 ? children[0] : nil
        case .constant:
            guard let type = attributes["type"] else { return nil }
            return .constant(isNull ? nil : text, type: type)
        case .field: return .field(text, table: attributes["tablename"])
        case .null: return .null
        case .macro: return .macro(text)
        case .parameter:
            guard let type = attributes["type"] else { return nil }
            guard let size = attributes["size"] else { return .parameter(text, type: type) }
            return Int(size).map { .parameter(text, type: type, size: $0) }
        case .list: return .list(children)
        case .unaryoperation: return children.count == 1 ? .unary(operation, children[0]) : nil
        case .binaryoperation:
            guard let operation, children.count == 2 else { return nil }
            return .binary(operation, children[0], children[1])
        case .between: return children.count == 3 ? .between(children[0], children[1], children[2]) : nil
        }
    }

    /// The vendor's client may write `undefined` where it means no.
    private var isNull: Bool { ["1", "true"].contains(attributes["null"]?.lowercased()) }
}
