// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object in the order in which they were read or set.
///
/// Made for the small objects of messages: a look-up walks the members. Two objects are equal when they have equal
/// members, whatever the order. Keys compare as Swift strings do, so canonically equivalent spellings are one key.
public struct JSONObject: Sendable {
    struct Member: Sendable, Hashable {
        let key: String
        var value: JSONValue
    }

    var members: [Member]

    public init() {
        members = []
    }

    /// For the parser, which has made sure that no key comes twice.
    init(unchecked members: [Member]) {
        self.members = members
    }

    /// Keeps the last value of a key given more than once, at the place of the first.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        self.init()
        members.reserveCapacity(pairs.underestimatedCount)
        for (key, value) in pairs {
            self[key] = value
        }
    }

    public var count: Int { members.count }

    public var isEmpty: Bool { members.isEmpty }

    /// Setting nil removes the member; setting a JSON null takes `.some(.null)`. A new key goes to the end.
    public subscript(key: String) -> JSONValue? {
        get {
            for member in members where member.key == key {
                return member.value
            }
            return nil
        }
        set {
            let index = members.firstIndex { $0.key == key }
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
        let others = Dictionary(right.members.map { ($0.key, $0.value) }) { first, _ in first }
        return left.members.allSatisfy { others[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members {
            sum ^= member.hashValue
        }
        hasher.combine(sum)
    }
}

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

/// A well-formed JSON object did not have the member that its reader needs.
public struct JSONShapeError: Error, Hashable {
    public enum Shape: String, Sendable {
        case bool
        case integer
        case number
        case string
        case array
        case object
        /// The type was right, the value is none of those allowed.
        case validValue = "valid value"
    }

    /// Keys from the outermost object inwards, joined by dots; array positions as `[3]`.
    public let path: String

    public let expected: Shape

    public init(path: String, expected: Shape) {
        self.path = path
        self.expected = expected
    }

    /// The same error as seen from the value that holds the failing one at `key`: a member's key, or `[3]` in an array.
    public func nested(under key: String) -> JSONShapeError {
        let isBeforeIndex = path.isEmpty || path.utf8.first == UInt8(ascii: "[")
        return JSONShapeError(path: isBeforeIndex ? key + path : "\(key).\(path)", expected: expected)
    }
}

extension JSONShapeError: CustomStringConvertible {
    public var description: String { "member \"\(path)\" is missing or no \(expected.rawValue)" }
}
