// SPDX-License-Identifier: Apache-2.0

/// A type that is read from JSON and written as JSON.
public protocol JSONConvertible: Sendable {
    /// What an error calls the values that this type is read from.
    static var jsonShape: JSONShapeError.Shape { get }

    /// - Throws: with an empty path if the value itself has another shape.
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
    /// - Throws: with the path of the first member that is missing or has another shape.
    init(json: JSONObject) throws(JSONShapeError)

    /// Writes each member that is present, by `JSONOutput.writeMember`.
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

    /// Appends the record as compact text. For a long list this takes a fraction of the time of a tree.
    @inlinable
    public func serialize(into bytes: inout [UInt8]) {
        var writer = JSONWriter(bytes: bytes, style: .compact)
        // The writer has the only reference, so appending does not copy the bytes.
        bytes = []
        write(to: &writer)
        bytes = writer.bytes
    }
}

/// A word of a closed set, as a JSON string.
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
    /// - Throws: if it is missing, or has another shape.
    public func read<Value: JSONConvertible>(_ key: String) throws(JSONShapeError) -> Value {
        guard let value = self[key] else { throw JSONShapeError(path: key, expected: Value.jsonShape) }
        return try Self.convert(value, at: key)
    }

    /// Reads a member that may be missing or null.
    ///
    /// - Throws: if it is there and has another shape.
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
