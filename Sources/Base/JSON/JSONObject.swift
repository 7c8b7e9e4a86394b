// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object, in the order in which they were read or set.
///
/// Designed for the small objects of messages: a lookup scans the members. Objects with equal members in a different
/// order are equal. Keys are compared by their bytes (RFC 8259, section 8.3).
public struct JSONObject: Sendable {
    struct Member: Sendable, Hashable {
        let key: String
        var value: JSONValue

        static func == (left: Member, right: Member) -> Bool {
            left.key.hasSameBytes(as: right.key) && left.value == right.value
        }

        func hash(into hasher: inout Hasher) {
            JSONKey(key).hash(into: &hasher)
            value.hash(into: &hasher)
        }
    }

    var members: [Member]

    /// Creates an empty object.
    public init() {
        members = []
    }

    /// For the parser, which has already rejected duplicate keys.
    init(unchecked members: [Member]) {
        self.members = members
    }

    /// Creates an object from pairs. If a key occurs more than once, the last value is kept, at the position of the
    /// first.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        self.init()
        members.reserveCapacity(pairs.underestimatedCount)
        for (key, value) in pairs {
            self[key] = value
        }
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member. Setting nil removes the member; set `.some(.null)` for a JSON null. A new key is added
    /// at the end.
    public subscript(key: String) -> JSONValue? {
        get {
            for member in members where member.key.hasSameBytes(as: key) {
                return member.value
            }
            return nil
        }
        set {
            let index = members.firstIndex { $0.key.hasSameBytes(as: key) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONObject: Sequence {
    public typealias Element = (key: String, value: JSONValue)

    public var underestimatedCount: Int { members.count }

    public func makeIterator() -> AnyIterator<Element> {
        var rest = members.makeIterator()
        return AnyIterator { rest.next().map { ($0.key, $0.value) } }
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if left.members == right.members { return true }
        let others = Dictionary(right.members.map { (JSONKey($0.key), $0.value) }) { first, _ in first }
        return left.members.allSatisfy { others[JSONKey($0.key)] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members {
            sum ^= member.hashValue
        }
        hasher.combine(sum)
    }
}

/// Typed access. All methods throw `JSONShapeError` if the member has another type. If it is absent or null, the
/// `optional…` methods return nil and the others throw.
extension JSONObject {
    /// Reads a string.
    public func string(_ key: String) throws(JSONShapeError) -> String { try read(key) }

    /// Reads an optional string.
    public func optionalString(_ key: String) throws(JSONShapeError) -> String? { try read(key) }

    /// Reads an integer.
    public func integer(_ key: String) throws(JSONShapeError) -> Int64 { try read(key) }

    /// Reads an optional integer.
    public func optionalInteger(_ key: String) throws(JSONShapeError) -> Int64? { try read(key) }

    /// Reads a boolean.
    public func bool(_ key: String) throws(JSONShapeError) -> Bool { try read(key) }

    /// Reads an optional boolean.
    public func optionalBool(_ key: String) throws(JSONShapeError) -> Bool? { try read(key) }

    /// Reads a number, also an integer.
    public func number(_ key: String) throws(JSONShapeError) -> Double { try read(key) }

    /// Reads an object.
    public func object(_ key: String) throws(JSONShapeError) -> JSONObject { try read(key) }

    /// Reads an optional object.
    public func optionalObject(_ key: String) throws(JSONShapeError) -> JSONObject? { try read(key) }

    /// Reads an array.
    public func array(_ key: String) throws(JSONShapeError) -> [JSONValue] { try read(key) }

    /// Reads an array whose elements are all objects.
    public func objects(_ key: String) throws(JSONShapeError) -> [JSONObject] { try read(key) }

    /// Reads an optional array whose elements are all objects.
    public func optionalObjects(_ key: String) throws(JSONShapeError) -> [JSONObject]? { try read(key) }

    /// Reads an array whose elements are all strings.
    public func strings(_ key: String) throws(JSONShapeError) -> [String] { try read(key) }

    /// Reads an optional array whose elements are all strings.
    public func optionalStrings(_ key: String) throws(JSONShapeError) -> [String]? { try read(key) }
}

/// A well-formed JSON object lacks a member that its reader requires.
public struct JSONShapeError: Error, Hashable {
    /// The type of a value in JSON.
    public enum Shape: String, Sendable {
        case bool
        case integer
        case number
        case string
        case array
        case object
        /// The type is right, but the value is not one of those allowed.
        case validValue = "valid value"
    }

    /// The keys from the outermost object inwards, joined by dots; array positions as `[3]`.
    public let path: String

    /// The shape that the reader expected.
    public let expected: Shape

    /// Creates an error for the value at `path`.
    public init(path: String, expected: Shape) {
        self.path = path
        self.expected = expected
    }

    /// Returns the same error as seen from the enclosing value. `key` is a member's key, or `[3]` in an array.
    public func nested(under key: String) -> JSONShapeError {
        let isBeforeIndex = path.isEmpty || path.utf8.first == UInt8(ascii: "[")
        return JSONShapeError(path: isBeforeIndex ? key + path : "\(key).\(path)", expected: expected)
    }
}

extension JSONShapeError: CustomStringConvertible {
    public var description: String { "member \"\(path)\" is missing or no \(expected.rawValue)" }
}
