// SPDX-License-Identifier: Apache-2.0

/// Typed reads. Each throws `JSONShapeError` when the member has another type; the plain ones also when it is absent
/// or null, where the `optional…` ones return nil.
extension JSONObject {
    public func string(_ key: String) throws(JSONShapeError) -> String {
        try required(key, .string, \.stringValue)
    }

    public func optionalString(_ key: String) throws(JSONShapeError) -> String? {
        try optional(key, .string, \.stringValue)
    }

    public func integer(_ key: String) throws(JSONShapeError) -> Int64 {
        try required(key, .integer, \.integerValue)
    }

    public func optionalInteger(_ key: String) throws(JSONShapeError) -> Int64? {
        try optional(key, .integer, \.integerValue)
    }

    public func bool(_ key: String) throws(JSONShapeError) -> Bool {
        try required(key, .bool, \.boolValue)
    }

    public func optionalBool(_ key: String) throws(JSONShapeError) -> Bool? {
        try optional(key, .bool, \.boolValue)
    }

    /// Reads integers too.
    public func number(_ key: String) throws(JSONShapeError) -> Double {
        try required(key, .number, \.numberValue)
    }

    /// Reads integers too.
    public func optionalNumber(_ key: String) throws(JSONShapeError) -> Double? {
        try optional(key, .number, \.numberValue)
    }

    public func object(_ key: String) throws(JSONShapeError) -> JSONObject {
        try required(key, .object, \.objectValue)
    }

    public func optionalObject(_ key: String) throws(JSONShapeError) -> JSONObject? {
        try optional(key, .object, \.objectValue)
    }

    public func array(_ key: String) throws(JSONShapeError) -> [JSONValue] {
        try required(key, .array, \.arrayValue)
    }

    public func optionalArray(_ key: String) throws(JSONShapeError) -> [JSONValue]? {
        try optional(key, .array, \.arrayValue)
    }

    /// An array of which every element is an object.
    public func objects(_ key: String) throws(JSONShapeError) -> [JSONObject] {
        try elements(of: try array(key), key, .object, \.objectValue)
    }

    /// An array of which every element is an object.
    public func optionalObjects(_ key: String) throws(JSONShapeError) -> [JSONObject]? {
        guard let values = try optionalArray(key) else { return nil }
        return try elements(of: values, key, .object, \.objectValue)
    }

    /// An array of which every element is a string.
    public func strings(_ key: String) throws(JSONShapeError) -> [String] {
        try elements(of: try array(key), key, .string, \.stringValue)
    }

    /// An array of which every element is a string.
    public func optionalStrings(_ key: String) throws(JSONShapeError) -> [String]? {
        guard let values = try optionalArray(key) else { return nil }
        return try elements(of: values, key, .string, \.stringValue)
    }

    /// An array of which every element is a whole number.
    public func integers(_ key: String) throws(JSONShapeError) -> [Int64] {
        try elements(of: try array(key), key, .integer, \.integerValue)
    }

    private func required<Value>(
        _ key: String,
        _ shape: JSONShapeError.Shape,
        _ payload: (JSONValue) -> Value?
    ) throws(JSONShapeError) -> Value {
        guard let value = try optional(key, shape, payload) else {
            throw JSONShapeError(path: key, expected: shape)
        }
        return value
    }

    private func optional<Value>(
        _ key: String,
        _ shape: JSONShapeError.Shape,
        _ payload: (JSONValue) -> Value?
    ) throws(JSONShapeError) -> Value? {
        guard let member = self[key], !member.isNull else { return nil }
        guard let value = payload(member) else {
            throw JSONShapeError(path: key, expected: shape)
        }
        return value
    }

    private func elements<Value>(
        of array: [JSONValue],
        _ key: String,
        _ shape: JSONShapeError.Shape,
        _ payload: (JSONValue) -> Value?
    ) throws(JSONShapeError) -> [Value] {
        var result: [Value] = []
        result.reserveCapacity(array.count)
        for (index, element) in array.enumerated() {
            guard let value = payload(element) else {
                throw JSONShapeError(path: "\(key)[\(index)]", expected: shape)
            }
            result.append(value)
        }
        return result
    }
}
