// SPDX-License-Identifier: Apache-2.0

/// A recursive-descent parser. The bytes must outlive it.
struct JSONParser {
    let bytes: UnsafeRawBufferPointer
    let limits: JSONLimits
    /// The only keys of objects that are read; nil for all.
    let wanted: [[UInt8]]?
    /// Whether a number that is no `Int64` becomes a string with its text.
    var keepsNumberTexts = false
    var position = 0
    private var depth = 0
    private var values = 0
    /// Buffer for unescaping, so that one allocation serves all strings.
    var scratch: [UInt8] = []

    /// With more keys a set finds duplicates. Below this number it is cheaper to compare with each earlier key.
    private static let linearKeys = 16

    init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits, wanted: [[UInt8]]? = nil) {
        self.bytes = bytes
        self.limits = limits
        self.wanted = wanted
    }

    mutating func parseText() throws(JSONSyntaxError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw failure(.tooLong) }
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard position == bytes.count else { throw failure(.trailingBytes) }
        return value
    }

    func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(offset: position, reason: reason)
    }

    private mutating func parseValue() throws(JSONSyntaxError) -> JSONValue {
        values += 1
        guard values <= limits.values else { throw failure(.tooManyValues) }
        switch try peek() {
        case UInt8(ascii: "\""):
            return .string(try parseString())
        case UInt8(ascii: "{"):
            return try nested { parser throws(JSONSyntaxError) in .object(try parser.parseMembers()) }
        case UInt8(ascii: "["):
            return try nested { parser throws(JSONSyntaxError) in .array(try parser.parseElements()) }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try parseNumber()
        case UInt8(ascii: "t"):
            return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"):
            return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"):
            return try parseLiteral("null", .null)
        default:
            throw failure(.unexpectedByte)
        }
    }

    /// Parses an array or object whose opening bracket is next.
    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        guard depth < limits.depth else { throw failure(.tooDeep) }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func parseElements() throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        skipWhitespace()
        if try skip(UInt8(ascii: "]")) { return elements }
        while true {
            skipWhitespace()
            elements.append(try parseValue())
            skipWhitespace()
            if try skip(UInt8(ascii: "]")) { return elements }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func parseMembers() throws(JSONSyntaxError) -> JSONObject {
        var members: [JSONObject.Member] = []
        var keys: Set<JSONKey> = []
        skipWhitespace()
        if try skip(UInt8(ascii: "}")) { return JSONObject(unchecked: members) }
        members.reserveCapacity(4)
        while true {
            skipWhitespace()
            let start = position
            guard try peek() == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            if isNextKeyWanted() {
                let key = try parseString()
                if members.count == Self.linearKeys {
                    keys = Set(members.map { JSONKey($0.key) })
                }
                let isNew =
                    keys.isEmpty
                    ? !members.contains { $0.key.hasSameBytes(as: key) } : keys.insert(JSONKey(key)).inserted
                guard isNew else { throw JSONSyntaxError(offset: start, reason: .duplicateKey) }
                try expectColon()
                members.append(JSONObject.Member(key: key, value: try parseValue()))
            } else {
                try skipString()
                try expectColon()
                try skipValue()
            }
            skipWhitespace()
            if try skip(UInt8(ascii: "}")) { return JSONObject(unchecked: members) }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func expectColon() throws(JSONSyntaxError) {
        skipWhitespace()
        try expect(UInt8(ascii: ":"))
        skipWhitespace()
    }

    private mutating func parseLiteral(
        _ literal: StaticString,
        _ value: JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        for index in 0..<literal.utf8CodeUnitCount {
            guard try peek() == literal.utf8Start[index] else { throw failure(.unexpectedByte) }
            position += 1
        }
        return value
    }

    func peek() throws(JSONSyntaxError) -> UInt8 {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func skip(_ byte: UInt8) throws(JSONSyntaxError) -> Bool {
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
        guard try skip(byte) else { throw failure(.unexpectedByte) }
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }
}

extension JSONParser {
    /// Parses a number whose first byte, a minus or a digit, is next.
    mutating func parseNumber() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let integer = try parseIntegerPart(isNegative: isNegative)

        let endOfInteger = position
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = try peek()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        if position == endOfInteger, let integer { return .integer(integer) }

        // The standard library's conversion is correctly rounded and, unlike strtod, the same in every locale.
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text) else { throw JSONSyntaxError(offset: start, reason: .invalidNumber) }
        guard number.isFinite else { throw JSONSyntaxError(offset: start, reason: .numberOutOfRange) }
        return keepsNumberTexts ? .string(text) : .number(number)
    }

    /// - Returns: nil if the number does not fit an `Int64`.
    private mutating func parseIntegerPart(isNegative: Bool) throws(JSONSyntaxError) -> Int64? {
        let start = position
        var value: Int64? = 0
        while let digit = nextDigit() {
            guard position == start || bytes[start] != UInt8(ascii: "0") else { throw failure(.invalidNumber) }
            position += 1
            guard let shifted = value?.multipliedReportingOverflow(by: 10), !shifted.overflow else {
                value = nil
                continue
            }
            let next =
                isNegative
                ? shifted.partialValue.subtractingReportingOverflow(digit)
                : shifted.partialValue.addingReportingOverflow(digit)
            value = next.overflow ? nil : next.partialValue
        }
        guard position > start else { throw failure(position < bytes.count ? .invalidNumber : .unexpectedEnd) }
        return value
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = position
        while nextDigit() != nil { position += 1 }
        guard position > start else { throw failure(position < bytes.count ? .invalidNumber : .unexpectedEnd) }
    }

    private func nextDigit() -> Int64? {
        guard position < bytes.count else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }
}

extension JSONParser {
    /// Parses a string whose opening quote is next.
    mutating func parseString() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        var union: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
                let text = try makeString(content, isASCII: union < 0x80, at: start)
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
            guard byte >= 0x20 else { throw failure(.controlCharacter) }
            union |= byte
            position += 1
        }
        throw failure(.unexpectedEnd)
    }

    /// Parses the rest of a string that begins at `start`, from its first backslash on.
    private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
        scratch.removeAll(keepingCapacity: true)
        var run = start
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                scratch.append(contentsOf: bytes[run..<position])
                let text = try scratch.withUnsafeBytes { content in
                    Result { () throws(JSONSyntaxError) in try makeString(content, isASCII: false, at: start) }
                }.get()
                position += 1
                return text
            case UInt8(ascii: "\\"):
                scratch.append(contentsOf: bytes[run..<position])
                position += 1
                try parseEscape()
                run = position
            default:
                guard byte >= 0x20 else { throw failure(.controlCharacter) }
                position += 1
            }
        }
    }

    /// Parses an escape after its backslash and appends the character to `scratch`.
    private mutating func parseEscape() throws(JSONSyntaxError) {
        let byte = try peek()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            let scalar = try parseUnicodeEscape()
            scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            return
        default:
            throw failure(.invalidEscape)
        }
        position += 1
    }

    private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        let first = try parseFourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = JSONSyntaxError(offset: start, reason: .loneSurrogate)
        guard UTF16.isLeadSurrogate(first) else { throw lone }
        guard try peek() == UInt8(ascii: "\\") else { throw lone }
        position += 1
        guard try peek() == UInt8(ascii: "u") else { throw lone }
        position += 1
        let second = try parseFourHexDigits()
        guard UTF16.isTrailSurrogate(second) else { throw lone }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func parseFourHexDigits() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw failure(.invalidEscape)
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    private func makeString(
        _ content: UnsafeRawBufferPointer,
        isASCII: Bool,
        at start: Int
    ) throws(JSONSyntaxError) -> String {
        // The validating initializer is generic and not specialized: it costs ten times as much as this one.
        if isASCII { return String(decoding: content, as: UTF8.self) }
        let text = content.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
        guard let text else { throw JSONSyntaxError(offset: start, reason: .invalidUTF8) }
        if let most = limits.marks, text.hasMarks(moreThan: most) {
            throw JSONSyntaxError(offset: start, reason: .tooManyMarks)
        }
        return text
    }
}

/// Skipping of unwanted members: only their end is found, their content is not checked.
extension JSONParser {
    /// Whether the key whose opening quote is next is wanted. A key written with escapes never is.
    func isNextKeyWanted() -> Bool {
        guard let wanted else { return true }
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += 1 }
        let key = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        return wanted.contains { $0.count == key.count && $0.elementsEqual(key) }
    }

    /// Skips a string whose opening quote is next.
    mutating func skipString() throws(JSONSyntaxError) {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    /// Skips a value of any depth, up to the comma or bracket after it.
    mutating func skipValue() throws(JSONSyntaxError) {
        var open = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return }
                open -= 1
                position += 1
            case UInt8(ascii: ",") where open == 0:
                return
            default:
                position += 1
            }
        }
        throw failure(.unexpectedEnd)
    }
}

/// Limits for parsing a text. They bound the memory and the stack that parsing uses.
public struct JSONLimits: Sendable, Hashable {
    /// Maximum nesting of arrays and objects, including the outermost; a scalar has depth 0. The parser recurses to
    /// this depth.
    public var depth: Int

    /// Maximum length of the whole text.
    public var bytes: Int

    /// Maximum number of values of any kind in the whole text, including each array and object.
    public var values: Int

    /// Maximum number of combining marks in a row in a string or key; nil for any number. Strings are compared and hashed in
    /// a time that grows with the square of it.
    public var marks: Int?

    /// Creates limits. The defaults are 64 levels, 1 MiB, 262,144 values and any number of marks.
    public init(depth: Int = 64, bytes: Int = 1 << 20, values: Int = 1 << 18, marks: Int? = nil) {
        self.depth = depth
        self.bytes = bytes
        self.values = values
        self.marks = marks
    }
}

/// The reason why a text is not valid JSON or exceeds the limits.
public struct JSONSyntaxError: Error, Hashable {
    /// The violated rule.
    public enum Reason: String, Sendable {
        case tooLong = "text longer than allowed"
        case tooDeep = "nested deeper than allowed"
        case tooManyValues = "more values than allowed"
        case tooManyMarks = "more combining marks on one character than allowed"
        case unexpectedEnd = "text ends within a value"
        case unexpectedByte = "unexpected byte"
        case trailingBytes = "bytes after the value"
        case duplicateKey = "key used twice in one object"
        case invalidNumber = "malformed number"
        case numberOutOfRange = "number too large for a double"
        case invalidEscape = "malformed escape sequence"
        case loneSurrogate = "surrogate without its partner"
        case controlCharacter = "control character in a string"
        case invalidUTF8 = "string is not valid UTF-8"
    }

    /// The number of bytes before the position where parsing stopped.
    public let offset: Int

    /// The violated rule.
    public let reason: Reason
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
