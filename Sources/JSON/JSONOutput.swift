// SPDX-License-Identifier: Apache-2.0

/// Takes JSON value by value, as text (`JSONWriter`) or as a tree (`JSONValue`). So a type says in one place how it looks
/// as JSON.
public protocol JSONOutput {
    mutating func writeNull()
    mutating func write(_ value: Bool)
    mutating func write(_ value: Int64)
    /// A NaN or an infinity, which JSON lacks, becomes `null` in text.
    mutating func write(_ value: Double)
    mutating func write(_ value: String)
    mutating func writeArray(_ elements: [some JSONConvertible])

    /// Writes an object.
    ///
    /// - Parameter members: calls `writeMember` of its argument for each member, and nothing else.
    mutating func writeObject(_ members: (inout Self) -> Void)

    /// Writes one member, inside of `writeObject`. No key may come twice.
    mutating func writeMember(_ key: String, _ value: some JSONConvertible)
}

extension JSONOutput {
    /// Leaves out a member that is nil.
    @inlinable
    public mutating func writeMember(_ key: String, ifPresent value: (some JSONConvertible)?) {
        if let value { writeMember(key, value) }
    }
}

/// Builds a tree.
struct JSONTree: JSONOutput {
    private(set) var value = JSONValue.null
    private var members: [JSONObject.Member] = []

    mutating func writeNull() { value = .null }
    mutating func write(_ value: Bool) { self.value = .bool(value) }
    mutating func write(_ value: Int64) { self.value = .integer(value) }
    mutating func write(_ value: Double) { self.value = .number(value) }
    mutating func write(_ value: String) { self.value = .string(value) }

    mutating func writeArray(_ elements: [some JSONConvertible]) {
        value = .array(elements.map(\.jsonValue))
    }

    mutating func writeObject(_ members: (inout JSONTree) -> Void) {
        var object = JSONTree()
        members(&object)
        value = .object(JSONObject(unchecked: object.members))
    }

    mutating func writeMember(_ key: String, _ value: some JSONConvertible) {
        members.append(JSONObject.Member(key: key, value: value.jsonValue))
    }
}
