// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// Parses a where clause with expat in one pass, and builds the expression as elements end.
///
/// This is a class because expat's callbacks receive it as a pointer. An instance lives only during one call.
final class WhereReader {
    private let limits: WhereLimits
    private var expressionsLeft: Int
    private var frames: [WhereFrame] = []
    private var result: WhereExpression?
    private var failure: WhereError?
    private var parser: XML_Parser?

    init(limits: WhereLimits) {
        self.limits = limits
        expressionsLeft = limits.expressions
    }

    func read(_ xml: String) throws(WhereError) -> WhereExpression {
        var xml = xml
        guard let length = Int32(exactly: xml.utf8.count), length <= limits.bytes else {
            throw .tooMany("bytes", limit: limits.bytes)
        }
        guard let parser = XML_ParserCreate("UTF-8") else { throw .outOfMemory }
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { reader, name, attributes in WhereReader.of(reader)?.begin(name, attributes) },
            { reader, _ in WhereReader.of(reader)?.end() }
        )
        XML_SetCharacterDataHandler(parser) { reader, start, count in WhereReader.of(reader)?.append(start, count) }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
            WhereReader.of(reader)?.fail("a document type, which is not allowed")
        }
        let status = xml.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, length, 1) }
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK, let result else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no condition"
            throw .malformed(reason: words, offset: offset)
        }
        return result
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> WhereReader? {
        pointer.map { Unmanaged<WhereReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private var offset: Int { parser.map { max(0, Int(XML_GetCurrentByteIndex($0))) } ?? 0 }

    private func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard failure == nil, let name else { return }
        guard let element = WhereElement(rawValue: String(cString: name)) else { return fail("unknown element") }
        guard frames.last.map({ $0.element.takes(element) }) ?? (element == .query) else {
            return fail("element out of place")
        }
        // The two outer elements are not expressions.
        guard frames.count < limits.depth + 2 else { return stop(.tooMany("levels", limit: limits.depth)) }
        if frames.count >= 2 {
            guard expressionsLeft > 0 else { return stop(.tooMany("expressions", limit: limits.expressions)) }
            expressionsLeft -= 1
        }
        frames.append(WhereFrame(element: element, attributes: Self.dictionary(attributes)))
    }

    /// Converts alternating names and values, terminated by nil. expat has already rejected duplicate names.
    private static func dictionary(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String: String] {
        var result: [String: String] = [:]
        guard var next = attributes else { return result }
        while let name = next[0], let value = next[1] {
            result[String(cString: name)] = String(cString: value)
            next += 2
        }
        return result
    }

    private func append(_ start: UnsafePointer<CChar>?, _ count: Int32) {
        guard failure == nil, let start, let last = frames.indices.last else { return }
        let piece = UnsafeRawBufferPointer(start: start, count: Int(count))
        if frames[last].element.hasText {
            frames[last].text += piece
        } else if !piece.allSatisfy({ " \t\r\n".utf8.contains($0) }) {
            fail("text out of place")
        }
    }

    private func end() {
        guard failure == nil, let frame = frames.popLast(), frame.element != .query else { return }
        guard let expression = frame.expression else { return fail("incomplete <\(frame.element.rawValue)>") }
        if frame.element == .where {
            guard result == nil else { return fail("a second <where>") }
            result = expression
        } else {
            frames[frames.count - 1].children.append(expression)
        }
    }

    private func fail(_ reason: String) {
        stop(.malformed(reason: reason, offset: offset))
    }

    private func stop(_ error: WhereError) {
        if failure == nil { failure = error }
        if let parser { XML_StopParser(parser, XML_Bool(0)) }
    }
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
