// SPDX-License-Identifier: Apache-2.0

/// Typed reads. Each throws `JSONShapeError` when the member has another type; the plain ones also when it is absent
/// or null, where the `optional…` ones return nil.
extension JSONObject {
    public func string(_ key: String) throws(JSONShapeError) -> String { try read(key) }

    public func optionalString(_ key: String) throws(JSONShapeError) -> String? { try readIfPresent(key) }

    public func integer(_ key: String) throws(JSONShapeError) -> Int64 { try read(key) }

    public func optionalInteger(_ key: String) throws(JSONShapeError) -> Int64? { try readIfPresent(key) }

    public func bool(_ key: String) throws(JSONShapeError) -> Bool { try read(key) }

    public func optionalBool(_ key: String) throws(JSONShapeError) -> Bool? { try readIfPresent(key) }

    /// Reads integers too.
    public func number(_ key: String) throws(JSONShapeError) -> Double { try read(key) }

    /// Reads integers too.
    public func optionalNumber(_ key: String) throws(JSONShapeError) -> Double? { try readIfPresent(key) }

    public func object(_ key: String) throws(JSONShapeError) -> JSONObject { try read(key) }

    public func optionalObject(_ key: String) throws(JSONShapeError) -> JSONObject? { try readIfPresent(key) }

    public func array(_ key: String) throws(JSONShapeError) -> [JSONValue] { try read(key) }

    public func optionalArray(_ key: String) throws(JSONShapeError) -> [JSONValue]? { try readIfPresent(key) }

    /// An array of which every element is an object.
    public func objects(_ key: String) throws(JSONShapeError) -> [JSONObject] { try read(key) }

    /// An array of which every element is an object.
    public func optionalObjects(_ key: String) throws(JSONShapeError) -> [JSONObject]? { try readIfPresent(key) }

    /// An array of which every element is a string.
    public func strings(_ key: String) throws(JSONShapeError) -> [String] { try read(key) }

    /// An array of which every element is a string.
    public func optionalStrings(_ key: String) throws(JSONShapeError) -> [String]? { try readIfPresent(key) }

    /// An array of which every element is a whole number.
    public func integers(_ key: String) throws(JSONShapeError) -> [Int64] { try read(key) }
}
