// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259).
///
/// A number without fraction and exponent that fits an `Int64` is `.integer`, every other number is `.number`. The
/// two never compare equal, so that `1` and `1.0` remain different. `.digits` is only written: a number as its text in
/// JSON, of which a double would lose digits.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case digits(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// Whether this is `.null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The payload of `.bool`, else nil.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The payload of `.integer`, else nil. `1.0` is not an integer.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The payload of `.number`, or the double nearest to that of `.integer` or `.digits`, else nil.
    public var numberValue: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .digits(let text): Double(text)
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
    /// Parses one value. `bytes` may contain only the value and white space around it.
    ///
    /// This is stricter than RFC 8259: a duplicate key, an unpaired surrogate and a number beyond the range of a
    /// double are errors. `\u0000` in a string is allowed.
    public init(parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, limits: limits)
        self = try parser.parseText()
    }

    /// Parses one value like `init(parsing:limits:)`, but reads only the members with these keys, in objects at any
    /// depth. All other members are skipped without checking their content.
    public init(
        parsing bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = .init(),
        onlyMembers keys: Set<String>
    ) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, limits: limits, wanted: keys.map { Array($0.utf8) })
        self = try parser.parseText()
    }

    /// Parses UTF-8 like `init(parsing:limits:)`.
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

    /// Parses UTF-8 like `init(parsing:limits:)`, but a number that is not `.integer` becomes a `.string` with the text
    /// of the number, because a double may not have all its digits.
    public static func parsingNumbersAsText(
        _ bytes: [UInt8],
        limits: JSONLimits = .init()
    ) throws(JSONSyntaxError) -> JSONValue {
        try bytes.withUnsafeBytes { storage in
            Result { () throws(JSONSyntaxError) in
                var parser = JSONParser(storage, limits: limits)
                parser.keepsNumberTexts = true
                return try parser.parseText()
            }
        }.get()
    }

    /// Parses a string like `init(parsing:limits:)`.
    public init(parsing text: String, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, limits: limits)
    }
}

extension JSONValue {
    /// Appends the value as UTF-8. Members keep their order. NaN and infinity, which JSON lacks, become `null`.
    public func serialize(into bytes: inout [UInt8], style: JSONStyle = .compact) {
        var writer = JSONWriter(bytes: bytes, style: style)
        bytes = []
        write(to: &writer)
        bytes = writer.bytes
    }

    /// Returns the value as UTF-8 in the format of `serialize(into:style:)`.
    public func serialized(_ style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(bytes: [], style: style)
        writer.bytes.reserveCapacity(256)
        write(to: &writer)
        return writer.bytes
    }

    /// The value on one line.
    public var text: String { String(decoding: serialized(), as: UTF8.self) }

    /// The value on several lines, without a line break at the end.
    public var prettyText: String { String(decoding: serialized(.pretty), as: UTF8.self) }
}

extension JSONObject {
    /// Appends the object as UTF-8 in the format of `JSONValue.serialize(into:style:)`.
    public func serialize(into bytes: inout [UInt8], style: JSONStyle = .compact) {
        JSONValue.object(self).serialize(into: &bytes, style: style)
    }

    /// The object on one line.
    public var text: String { JSONValue.object(self).text }
}

/// The layout of a value in text.
public enum JSONStyle: Sendable {
    /// Without white space.
    case compact
    /// One member or element per line, indented by two spaces per level: for files that people read.
    case pretty
}
