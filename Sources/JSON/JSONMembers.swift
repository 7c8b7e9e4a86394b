// SPDX-License-Identifier: Apache-2.0

/// Takes the members of one object one after the other: so a type tells them in one place, whether they become a value or
/// text. No key may come twice.
public protocol JSONMembers {
    mutating func add(_ key: String, _ value: String)
    mutating func add(_ key: String, _ value: Int64)
    mutating func add(_ key: String, _ value: Bool)
    mutating func add(_ key: String, _ value: [String])
}

extension JSONMembers {
    /// Leaves out what is nil.
    public mutating func add(_ key: String, _ value: String?) {
        if let value { add(key, value) }
    }

    /// Leaves out what is nil.
    public mutating func add(_ key: String, _ value: Int64?) {
        if let value { add(key, value) }
    }
}

extension JSONObject: JSONMembers {
    public mutating func add(_ key: String, _ value: String) { append(key, .string(value)) }

    public mutating func add(_ key: String, _ value: Int64) { append(key, .integer(value)) }

    public mutating func add(_ key: String, _ value: Bool) { append(key, .bool(value)) }

    public mutating func add(_ key: String, _ value: [String]) { append(key, .array(value.map { .string($0) })) }

    private mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }
}
