// SPDX-License-Identifier: Apache-2.0

import Documents

/// Appends expressions as XML.
struct WhereWriter {
    private let limits: WhereLimits
    private var expressionsLeft: Int
    private(set) var text = ""

    init(limits: WhereLimits) {
        self.limits = limits
        expressionsLeft = limits.expressions
    }

    mutating func write(_ expression: WhereExpression, depth: Int) throws(WhereError) {
        guard depth > 0 else { throw .tooMany("levels", limit: limits.depth) }
        guard expressionsLeft > 0 else { throw .tooMany("expressions", limit: limits.expressions) }
        expressionsLeft -= 1
        switch expression {
        case .constant(let value, let type):
            try leaf("constant", [("type", type), ("null", value == nil ? "1" : "0")], value ?? "")
        case .field(let name, let table): try leaf("field", [("tablename", table)], name)
        case .null: text += "<null />"
        case .macro(let name): try leaf("macro", [], name)
        case .parameter(let name, let type, let size):
            try leaf("parameter", [("type", type), ("size", size.map { "\($0)" })], name)
        case .list(let elements): try branch("list", nil, elements, depth: depth)
        case .unary(let name, let operand): try branch("unaryoperation", name, [operand], depth: depth)
        case .binary(let name, let left, let right): try branch("binaryoperation", name, [left, right], depth: depth)
        case .between(let value, let low, let high): try branch("between", nil, [value, low, high], depth: depth)
        }
    }

    private mutating func leaf(
        _ name: String,
        _ attributes: [(name: String, value: String?)],
        _ content: String
    ) throws(WhereError) {
        text += "<\(name)"
        for attribute in attributes {
            guard let value = attribute.value else { continue }
            text += " \(attribute.name)=\"\(try Self.escaped(value, inAttribute: true))\""
        }
        text += ">\(try Self.escaped(content, inAttribute: false))</\(name)>"
    }

    private mutating func branch(
        _ name: String,
        _ operation: WhereOperator?,
        _ operands: [WhereExpression],
        depth: Int
    ) throws(WhereError) {
        text += "<\(name)"
        if let operation { text += " operator=\"\(try Self.escaped(operation.rawValue, inAttribute: true))\"" }
        text += ">"
        for operand in operands { try write(operand, depth: depth - 1) }
        text += "</\(name)>"
    }

    private static func escaped(_ text: String, inAttribute: Bool) throws(WhereError) -> String {
        guard text.unicodeScalars.allSatisfy(XMLText.isPermitted) else { throw .unwritable }
        return XMLText.escaped(text, inAttribute: inAttribute)
    }
}
