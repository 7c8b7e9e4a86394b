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
