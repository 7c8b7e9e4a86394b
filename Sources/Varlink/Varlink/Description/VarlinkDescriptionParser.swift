// SPDX-License-Identifier: Apache-2.0

/// A recursive-descent parser of the interface definition language.
struct VarlinkDescriptionParser {
    private static let maximumBytes = 1 << 20
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var comments: [String] = []
    private var uses: [(name: String, line: Int)] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parseInterface() throws(VarlinkDescriptionError) -> VarlinkDescription {
        guard bytes.count <= Self.maximumBytes else { throw failure(.tooLong) }
        skipBlanks()
        let documentation = takeComments()
        try expectWord("interface")
        let name = takeWord()
        guard VarlinkName.isInterface(name) else { throw failure(.invalidName(name)) }
        var description = VarlinkDescription(name: name, documentation: documentation)
        skipBlanks()
        while position < bytes.count {
            try parseMember(into: &description)
            skipBlanks()
        }
        let declared = Set(description.types.map(\.name))
        for use in uses where !declared.contains(use.name) {
            throw VarlinkDescriptionError(line: use.line, reason: .undeclaredType(use.name))
        }
        return description
    }

    private mutating func parseMember(into description: inout VarlinkDescription) throws(VarlinkDescriptionError) {
        let documentation = takeComments()
        let kind = takeWord()
        skipBlanks()
        let name = takeWord()
        guard ["type", "method", "error"].contains(kind) else {
            throw failure(.expected("type, method or error"))
        }
        guard VarlinkName.isMember(name) else { throw failure(.invalidName(name)) }
        // Types and errors share one namespace, methods have another.
        let isDuplicate =
            kind == "method"
            ? description.methods.contains { $0.name == name }
            : (description.types + description.errors).contains { $0.name == name }
        guard !isDuplicate else { throw failure(.duplicate(name)) }
        switch kind {
        case "type":
            let type = try parseParentheses(depth: 1)
            description.types.append(.init(name: name, type: type, documentation: documentation))
        case "error":
            let type = VarlinkType.struct(try parseFields())
            description.errors.append(.init(name: name, type: type, documentation: documentation))
        default:
            let input = try parseFields()
            try expect("->")
            let output = try parseFields()
            description.methods.append(.init(name: name, input: input, output: output, documentation: documentation))
        }
        comments.removeAll()
    }

    private mutating func parseFields() throws(VarlinkDescriptionError) -> [VarlinkField] {
        guard case .struct(let fields) = try parseParentheses(depth: 1) else {
            throw failure(.expected("struct"))
        }
        return fields
    }

    private mutating func parseType(depth: Int) throws(VarlinkDescriptionError) -> VarlinkType {
        guard depth <= Self.maximumDepth else { throw failure(.tooDeep) }
        skipBlanks()
        if skip("?") {
            let type = try parseType(depth: depth + 1)
            if case .maybe = type { throw failure(.expected("one question mark")) }
            return .maybe(type)
        }
        if skip("[]") { return .array(try parseType(depth: depth + 1)) }
        if skip("[string]") { return .map(try parseType(depth: depth + 1)) }
        if next == UInt8(ascii: "(") { return try parseParentheses(depth: depth + 1) }
        let name = takeWord()
        switch name {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": return .any
        default:
            guard VarlinkName.isMember(name) else { throw failure(.expected("type")) }
            uses.append((name, line))
            return .named(name)
        }
    }

    /// Parses a struct, or an enum if no colon follows the first name.
    private mutating func parseParentheses(depth: Int) throws(VarlinkDescriptionError) -> VarlinkType {
        guard depth <= Self.maximumDepth else { throw failure(.tooDeep) }
        try expect("(")
        skipBlanks()
        if skip(")") { return .struct([]) }
        var names: [String] = []
        var fields: [VarlinkField] = []
        var seen: Set<String> = []
        repeat {
            skipBlanks()
            let documentation = takeComments()
            let name = takeWord()
            guard VarlinkName.isField(name) else { throw failure(.invalidName(name)) }
            guard seen.insert(name).inserted else { throw failure(.duplicate(name)) }
            skipBlanks()
            if names.isEmpty, skip(":") {
                let type = try parseType(depth: depth + 1)
                fields.append(VarlinkField(name: name, type: type, documentation: documentation))
            } else {
                guard fields.isEmpty else { throw failure(.expected("\":\"")) }
                names.append(name)
            }
            skipBlanks()
        } while skip(",")
        try expect(")")
        return names.isEmpty ? .struct(fields) : .enum(names)
    }
}

extension VarlinkDescriptionParser {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ reason: VarlinkDescriptionError.Reason) -> VarlinkDescriptionError {
        VarlinkDescriptionError(line: line, reason: reason)
    }

    private mutating func takeComments() -> String {
        defer { comments.removeAll() }
        return comments.joined(separator: "\n")
    }

    /// Skips white space and comments. A comment is kept unless an empty line separates it from the next declaration.
    private mutating func skipBlanks() {
        var lineBreaks = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                lineBreaks += 1
                if lineBreaks > 1 { comments.removeAll() }
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
            case UInt8(ascii: "#"):
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                let text = bytes[(position + 1)..<end].drop { $0 == UInt8(ascii: " ") }
                comments.append(String(decoding: text, as: UTF8.self))
                position = end
                lineBreaks = 0
            default:
                return
            }
        }
    }

    private mutating func takeWord() -> String {
        let start = position
        while let byte = next,
            VarlinkName.isAlphanumeric(byte)
                || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
        {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skip(_ token: StaticString) -> Bool {
        let length = token.utf8CodeUnitCount
        guard bytes.count - position >= length,
            (0..<length).allSatisfy({ bytes[position + $0] == token.utf8Start[$0] })
        else { return false }
        position += length
        return true
    }

    private mutating func expect(_ token: StaticString) throws(VarlinkDescriptionError) {
        skipBlanks()
        guard skip(token) else { throw failure(.expected("\"\(token)\"")) }
    }

    private mutating func expectWord(_ word: String) throws(VarlinkDescriptionError) {
        guard takeWord() == word else { throw failure(.expected("\"\(word)\"")) }
        skipBlanks()
    }
}
