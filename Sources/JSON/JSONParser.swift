// SPDX-License-Identifier: Apache-2.0

/// A recursive-descent reader over bytes that outlive it.
struct JSONParser {
    let bytes: UnsafeRawBufferPointer
    let limits: JSONLimits
    /// The only keys of objects that matter; nil for all.
    let wanted: [[UInt8]]?
    var position = 0
    private var depth = 0
    private var values = 0
    /// Unescaped strings are put together here, so that one allocation serves all of them.
    var scratch: [UInt8] = []

    /// From here on a set finds duplicate keys; below, comparing with each earlier key is cheaper.
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

    /// Enters an array or object whose opening bracket is next.
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
        var keys: Set<String> = []
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
                    keys = Set(members.map(\.key))
                }
                let isNew = keys.isEmpty ? !members.contains { $0.key == key } : keys.insert(key).inserted
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
