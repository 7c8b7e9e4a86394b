// SPDX-License-Identifier: Apache-2.0

/// A type that can be read from JSON and written as JSON.
public protocol JSONConvertible: Sendable {
    /// The shape of the values that this type can be read from, for error messages.
    static var jsonShape: JSONShapeError.Shape { get }

    /// Reads a value.
    ///
    /// - Throws: an error with an empty path if the value itself has another shape.
    init(jsonValue: JSONValue) throws(JSONShapeError)

    /// Writes one value.
    func write(to output: inout some JSONOutput)

    /// The value as a tree.
    var jsonValue: JSONValue { get }
}

extension JSONConvertible {
    public var jsonValue: JSONValue {
        var tree = JSONTree()
        write(to: &tree)
        return tree.value
    }
}

/// A JSON object with known members. Unknown members are ignored when it is read.
public protocol JSONRecord: JSONConvertible, Hashable {
    /// Reads the members of an object.
    ///
    /// - Throws: an error with the path of the first member that is missing or has another shape.
    init(json: JSONObject) throws(JSONShapeError)

    /// Writes each member that is present with `JSONOutput.writeMember`.
    func writeMembers(to output: inout some JSONOutput)
}

extension JSONRecord {
    public static var jsonShape: JSONShapeError.Shape { .object }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        try self.init(json: try JSONObject(jsonValue: jsonValue))
    }

    @inlinable
    public func write(to output: inout some JSONOutput) {
        output.writeObject { writeMembers(to: &$0) }
    }

    /// The record as a tree.
    public var json: JSONObject {
        if case .object(let object) = jsonValue { object } else { [:] }
    }

    /// Appends the record as compact text. For a long list this takes a fraction of the time that a tree takes.
    @inlinable
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
    public static var jsonShape: JSONShapeError.Shape { .string }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        let text = try String(jsonValue: jsonValue)
        guard let word = Self(rawValue: text) else { throw JSONShapeError(path: "", expected: .validValue) }
        self = word
    }

    @inlinable
    public func write(to output: inout some JSONOutput) { output.write(rawValue) }
}

extension JSONObject {
    /// Reads a member.
    ///
    /// - Throws: if it is missing or has another shape.
    public func read<Value: JSONConvertible>(_ key: String) throws(JSONShapeError) -> Value {
        guard let value = self[key] else { throw JSONShapeError(path: key, expected: Value.jsonShape) }
        return try Self.convert(value, at: key)
    }

    /// Reads a member that may be missing or null.
    ///
    /// - Throws: if it is present and has another shape.
    public func readIfPresent<Value: JSONConvertible>(_ key: String) throws(JSONShapeError) -> Value? {
        guard let value = self[key], !value.isNull else { return nil }
        return try Self.convert(value, at: key)
    }

    private static func convert<Value: JSONConvertible>(
        _ value: JSONValue,
        at key: String
    ) throws(JSONShapeError) -> Value {
        do {
            return try Value(jsonValue: value)
        } catch {
            throw error.nested(under: key)
        }
    }
}

// Conformances of the types that records consist of.

extension Bool: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .bool }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .bool(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .bool) }
        self = value
    }

    @inlinable
    public func write(to output: inout some JSONOutput) { output.write(self) }
}

extension Int64: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .integer }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .integer(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .integer) }
        self = value
    }

    @inlinable
    public func write(to output: inout some JSONOutput) { output.write(self) }
}

extension Double: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .number }

    /// Also reads integers.
    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard let value = jsonValue.numberValue else { throw JSONShapeError(path: "", expected: .number) }
        self = value
    }

    @inlinable
    public func write(to output: inout some JSONOutput) { output.write(self) }
}

extension String: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .string }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .string(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .string) }
        self = value
    }

    @inlinable
    public func write(to output: inout some JSONOutput) { output.write(self) }
}

extension JSONObject: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .object }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        guard case .object(let value) = jsonValue else { throw JSONShapeError(path: "", expected: .object) }
        self = value
    }

    public var jsonValue: JSONValue { .object(self) }

    public func write(to output: inout some JSONOutput) {
        output.writeObject { object in
            for member in members { object.writeMember(member.key, member.value) }
        }
    }
}

extension JSONValue: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .validValue }

    public init(jsonValue: JSONValue) throws(JSONShapeError) { self = jsonValue }

    public var jsonValue: JSONValue { self }

    public func write(to output: inout some JSONOutput) {
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
    public static var jsonShape: JSONShapeError.Shape { .array }

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
    public func write(to output: inout some JSONOutput) { output.writeArray(self) }
}

/// A JSON object with arbitrary keys. It is written in the order of its keys.
extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { .object }

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
    public func write(to output: inout some JSONOutput) {
        output.writeObject { object in
            for (key, value) in sorted(by: { $0.key < $1.key }) { object.writeMember(key, value) }
        }
    }
}

/// Null or a value. Use `JSONObject.readIfPresent` for a member that may be missing.
extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    public static var jsonShape: JSONShapeError.Shape { Wrapped.jsonShape }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        self = jsonValue.isNull ? nil : try Wrapped(jsonValue: jsonValue)
    }

    @inlinable
    public func write(to output: inout some JSONOutput) {
        if let self { self.write(to: &output) } else { output.writeNull() }
    }
}
