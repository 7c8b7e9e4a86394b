// SPDX-License-Identifier: Apache-2.0

// The types that records are made of.

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

    /// Reads integers too.
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

/// A JSON object whose keys are free. It is written in the order of its keys.
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

/// Null, or a value. A member that may be missing is read by `JSONObject.readIfPresent`.
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
