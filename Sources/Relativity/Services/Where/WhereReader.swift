// SPDX-License-Identifier: Apache-2.0

import Documents

/// Parses a where clause in one pass, and builds the expression as elements end. For one clause only.
final class WhereReader: XMLHandler {
    private let limits: WhereLimits
    private let xml = XMLReader()
    private var expressionsLeft: Int
    private var frames: [WhereFrame] = []
    private var result: WhereExpression?

    init(limits: WhereLimits) {
        self.limits = limits
        expressionsLeft = limits.expressions
    }

    func read(_ text: String) throws(WhereError) -> WhereExpression {
        guard text.utf8.count <= limits.bytes else { throw .tooMany("bytes", limit: limits.bytes) }
        do {
            try xml.read(text, for: self)
        } catch {
            throw error as? WhereError ?? .outOfMemory
        }
        guard let result else { throw .malformed(reason: "no condition", offset: text.utf8.count) }
        return result
    }

    func error(for fault: XMLFault) -> any Error {
        switch fault {
        case .outOfMemory: WhereError.outOfMemory
        case .documentType: malformed("a document type, which is not allowed")
        case .malformed(let reason): malformed(reason)
        }
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws {
        guard let element = WhereElement(rawValue: name) else { throw malformed("unknown element") }
        guard frames.last.map({ $0.element.takes(element) }) ?? (element == .query) else {
            throw malformed("element out of place")
        }
        // The two outer elements are not expressions.
        guard frames.count < limits.depth + 2 else { throw WhereError.tooMany("levels", limit: limits.depth) }
        if frames.count >= 2 {
            guard expressionsLeft > 0 else { throw WhereError.tooMany("expressions", limit: limits.expressions) }
            expressionsLeft -= 1
        }
        let values = Dictionary(attributes.map { ($0.name, $0.value) }) { $1 }
        frames.append(WhereFrame(element: element, attributes: values))
    }

    func append(_ text: UnsafeRawBufferPointer) throws {
        guard let last = frames.indices.last else { return }
        if frames[last].element.hasText {
            frames[last].text += text
        } else if !text.allSatisfy({ " \t\r\n".utf8.contains($0) }) {
            throw malformed("text out of place")
        }
    }

    func end() throws {
        guard let frame = frames.popLast(), frame.element != .query else { return }
        guard let expression = frame.expression else { throw malformed("incomplete <\(frame.element.rawValue)>") }
        if frame.element == .where {
            guard result == nil else { throw malformed("a second <where>") }
            result = expression
        } else {
            frames[frames.count - 1].children.append(expression)
        }
    }

    private func malformed(_ reason: String) -> WhereError { .malformed(reason: reason, offset: xml.offset) }
}

/// An open element, with the content that was read so far.
struct WhereFrame {
    let element: WhereElement
    let attributes: [String: String]
    var text: [UInt8] = []
    var children: [WhereExpression] = []

    /// The expression of the element; nil if something is missing or superfluous.
    var expression: WhereExpression? {
        // expat has checked that the text is UTF-8.
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

    /// The vendor's client may write `undefined` for false.
    private var isNull: Bool { ["1", "true"].contains(attributes["null"]?.lowercased()) }
}
