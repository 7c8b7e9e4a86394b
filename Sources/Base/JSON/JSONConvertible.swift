// SPDX-License-Identifier: Apache-2.0

/// A type that can be read from JSON and written as JSON.
public protocol JSONConvertible: Sendable {
    /// The shape of the values that this type can be read from, for error messages.
    static var jsonShape: JSONShapeError.Shape { get }

    /// The value of a member that is missing; nil if it must be present.
    static var absent: Self? { get }

    /// Whether a member with this value is left out.
    var isAbsent: Bool { get }

    /// Reads a value.
    ///
    /// - Throws: an error with an empty path if the value itself has another shape.
    init(jsonValue: JSONValue) throws(JSONShapeError)

    /// The value as a tree.
    var jsonValue: JSONValue { get }

    /// Writes one value.
    func write(to output: inout JSONWriter)
}

extension JSONConvertible {
    @inlinable
    public static var absent: Self? { nil }

    @inlinable
    public var isAbsent: Bool { false }

    public func write(to output: inout JSONWriter) { jsonValue.write(to: &output) }

    /// Appends the value as compact text. For a long list this takes a fraction of the time that a tree takes.
    public func serialize(into bytes: inout [UInt8]) {
        var writer = JSONWriter(bytes: bytes, style: .compact)
        // The writer has the only reference, so appending does not copy the bytes.
        bytes = []
        write(to: &writer)
        bytes = writer.bytes
    }
}

/// A value of a closed set, written as a JSON string.
public protocol JSONWord: JSONConvertible, Hashable, CaseIterable, RawRepresentable<String> {}

extension JSONWord {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .string }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        let text = try String(jsonValue: jsonValue)
        guard let word = Self(rawValue: text) else { throw JSONShapeError(path: "", expected: .validValue) }
        self = word
    }

    @inlinable
    public var jsonValue: JSONValue { .string(rawValue) }

    @inlinable
    public func write(to output: inout JSONWriter) { output.write(rawValue) }
}

extension JSONObject {
    /// Reads a member. An optional one may be missing or null.
    ///
    /// - Throws: if it is missing or has another shape.
    public func read<Value: JSONConvertible>(_ key: String) throws(JSONShapeError) -> Value {
        do {
            return try Value(member: self[key])
        } catch {
            throw error.nested(under: key)
        }
    }

    /// Reads a member that may be missing or null. Code for rows calls it (`relctl schema code`).
    ///
    /// - Throws: if it is present and has another shape.
    public func readIfPresent<Value: JSONConvertible>(_ key: String) throws(JSONShapeError) -> Value? { try read(key) }
}

extension JSONConvertible {
    /// Reads a member that may be missing.
    @inlinable
    init(member: JSONValue?) throws(JSONShapeError) {
        if let member {
            try self.init(jsonValue: member)
        } else if let absent = Self.absent {
            self = absent
        } else {
            throw JSONShapeError(path: "", expected: Self.jsonShape)
        }
    }
}

// Conformances of the types that records consist of.

extension Bool: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .bool }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .bool(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .bool) }
        self = value
    }

    @inlinable
    public var jsonValue: JSONValue { .bool(self) }

    @inlinable
    public func write(to output: inout JSONWriter) { output.write(self) }
}

extension Int64: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .integer }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .integer(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .integer) }
        self = value
    }

    @inlinable
    public var jsonValue: JSONValue { .integer(self) }

    @inlinable
    public func write(to output: inout JSONWriter) { output.write(self) }
}

extension Double: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .number }

    /// Also reads integers.
    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard let value = jsonValue.numberValue else { throw JSONShapeError(path: "", expected: .number) }
        self = value
    }

    @inlinable
    public var jsonValue: JSONValue { .number(self) }

    @inlinable
    public func write(to output: inout JSONWriter) { output.write(self) }
}

extension String: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .string }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .string(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .string) }
        self = value
    }

    @inlinable
    public var jsonValue: JSONValue { .string(self) }

    @inlinable
    public func write(to output: inout JSONWriter) { output.write(self) }
}

extension JSONObject: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .object }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .object(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .object) }
        self = value
    }

    @inlinable
    public var jsonValue: JSONValue { .object(self) }

    public func write(to output: inout JSONWriter) {
        output.writeObject { object in
            for member in members { object.writeMember(member.key, member.value) }
        }
    }
}

extension JSONValue: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .validValue }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) { self = jsonValue }

    @inlinable
    public var jsonValue: JSONValue { self }

    public func write(to output: inout JSONWriter) {
        switch self {
        case .null: output.writeNull()
        case .bool(let value): output.write(value)
        case .integer(let value): output.write(value)
        case .number(let value): output.write(value)
        case .digits(let text): output.write(digits: text)
        case .string(let value): output.write(value)
        case .array(let elements): output.writeArray(elements)
        case .object(let object): object.write(to: &output)
        }
    }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .array }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .array(let values) = jsonValue else { throw JSONShapeError(path: "", expected: .array) }
        self.init()
        reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do {
                append(try Element(jsonValue: value))
            } catch {
                throw error.nested(under: "[\(index)]")
            }
        }
    }

    @inlinable
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }

    @inlinable
    public func write(to output: inout JSONWriter) { output.writeArray(self) }
}

/// A JSON object with arbitrary keys. It is written in the order of its keys.
extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { .object }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        self.init()
        for (key, value) in try JSONObject(jsonValue: jsonValue) {
            do {
                self[key] = try Value(jsonValue: value)
            } catch {
                throw error.nested(under: key)
            }
        }
    }

    @inlinable
    public var jsonValue: JSONValue {
        .object(JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.jsonValue) }))
    }

    @inlinable
    public func write(to output: inout JSONWriter) {
        output.writeObject { object in
            for (key, value) in sorted(by: { $0.key < $1.key }) { object.writeMember(key, value) }
        }
    }
}

/// Null or a value. As a member it may be missing.
extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    @inlinable
    public static var jsonShape: JSONShapeError.Shape { Wrapped.jsonShape }

    @inlinable
    public static var absent: Wrapped?? { .some(nil) }

    @inlinable
    public var isAbsent: Bool { if case .none = self { true } else { false } }

    @inlinable
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        self = jsonValue.isNull ? nil : try Wrapped(jsonValue: jsonValue)
    }

    @inlinable
    public var jsonValue: JSONValue { self?.jsonValue ?? .null }

    @inlinable
    public func write(to output: inout JSONWriter) {
        if let self { self.write(to: &output) } else { output.writeNull() }
    }
}
