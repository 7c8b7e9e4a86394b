// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259).
///
/// A number without fraction and exponent that fits is `.integer`, every other one `.number`; the two never compare
/// equal, so that `1` and `1.0` stay what they were.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// True for `.null`, without comparing anything else.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The payload of `.bool`, else nil.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The payload of `.integer`, else nil: `1.0` is no integer.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The payload of `.number`, or the nearest double to that of `.integer`, else nil.
    public var numberValue: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The payload of `.string`, else nil.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The payload of `.array`, else nil.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The payload of `.object`, else nil.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSONValue: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue {
    /// Reads one value, which must fill `bytes` but for white space around it.
    ///
    /// Stricter than RFC 8259 asks: a key used twice, a lone surrogate and a number beyond the range of a double are
    /// errors. `\u0000` within a string is allowed.
    public init(parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, limits: limits)
        self = try parser.parseText()
    }

    /// Reads one value as `init(parsing:limits:)` does, but of objects at any depth only the members with these keys. All
    /// others are passed over: what is wrong within them goes unnoticed.
    public init(
        parsing bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = .init(),
        onlyMembers keys: Set<String>
    ) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, limits: limits, wanted: keys.map { Array($0.utf8) })
        self = try parser.parseText()
    }

    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        let parsed = bytes.withContiguousStorageIfAvailable { storage in
            Result { () throws(JSONSyntaxError) in
                try JSONValue(parsing: UnsafeRawBufferPointer(storage), limits: limits)
            }
        }
        if let parsed {
            self = try parsed.get()
        } else {
            self = try JSONValue(parsing: Array(bytes), limits: limits)
        }
    }

    public init(parsing text: String, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, limits: limits)
    }
}

extension JSONValue {
    /// Appends the value as UTF-8. Members keep their order; a NaN or an infinity, which JSON lacks, becomes `null`.
    public func serialize(into bytes: inout [UInt8], style: JSONStyle = .compact) {
        var writer = JSONWriter(bytes: bytes, style: style)
        bytes = []
        write(to: &writer)
        bytes = writer.bytes
    }

    /// The value as UTF-8, as `serialize(into:style:)` writes it.
    public func serialized(_ style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(bytes: [], style: style)
        writer.bytes.reserveCapacity(256)
        write(to: &writer)
        return writer.bytes
    }

    /// The value on one line.
    public var text: String { String(decoding: serialized(), as: UTF8.self) }

    /// The value over several lines, without a line break at the end.
    public var prettyText: String { String(decoding: serialized(.pretty), as: UTF8.self) }
}

extension JSONObject {
    /// Appends the object as UTF-8, as `JSONValue.serialize(into:style:)` does.
    public func serialize(into bytes: inout [UInt8], style: JSONStyle = .compact) {
        JSONValue.object(self).serialize(into: &bytes, style: style)
    }

    /// The object on one line.
    public var text: String { JSONValue.object(self).text }
}

/// How a value is laid out in text.
public enum JSONStyle: Sendable {
    /// No white space at all.
    case compact
    /// One member or element a line, two spaces for each level: for files that people read.
    case pretty
}
