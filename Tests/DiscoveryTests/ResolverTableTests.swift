// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

/// Resolvers that are nothing but their number.
@Suite struct ResolverTableTests {
    private struct Numbered: NumberedResolver {
        let number: Int
    }

    private static let key = makeKey("here")
    private var table = ResolverTable<Numbered>()

    private static func makeKey(_ name: String) -> Sighting.Key {
        let instance = ServiceInstance(name: name, type: "_xy._tcp", domain: "local")
        return Sighting.Key(instance: instance, interface: 2, family: .inet)
    }

    private mutating func insert() -> Int {
        let number = table.makeNumber()
        table.insert(Numbered(number: number), for: Self.key)
        return number
    }

    private mutating func insertFresh() -> Int {
        let number = table.makeNumber()
        table.insertFresh(Numbered(number: number), for: Self.key)
        return number
    }

    private mutating func answer(_ number: Int, for key: Sighting.Key = ResolverTableTests.key) -> String {
        switch table.answered(number, for: key) {
        case .outdated: "outdated"
        case .current: "current"
        case .fresh(let replaced): "fresh, replaces \(replaced.map { "\($0.number)" } ?? "none")"
        }
    }

    @Test("only the resolver in the table counts")
    mutating func numbers() {
        #expect(answer(1) == "outdated")
        let first = insert()
        #expect(answer(first) == "current")
        #expect(answer(first, for: Self.makeKey("there")) == "outdated")
        let second = insert()
        #expect(second != first)
        #expect(answer(first) == "outdated")
        #expect(answer(second) == "current")
    }

    @Test("a refresh needs one second resolver, and only if there is a first one")
    mutating func refresh() {
        #expect(!table.needsFresh(Self.key))
        _ = insert()
        #expect(table.needsFresh(Self.key))
        _ = insertFresh()
        #expect(!table.needsFresh(Self.key))
        #expect(table.count == 2)
    }

    @Test("the second resolver replaces the first when it answers, and until then the first one counts")
    mutating func replacement() {
        let first = insert()
        let second = insertFresh()
        #expect(answer(first) == "current")
        #expect(answer(second) == "fresh, replaces \(first)")
        #expect(answer(first) == "outdated")
        #expect(answer(second) == "current")
        #expect(table.count == 1)
        #expect(table.needsFresh(Self.key))
    }

    @Test("both resolvers of a key are removed, and then none of them counts")
    mutating func removal() {
        let numbers = [insert(), insertFresh()]
        #expect(table.remove(Self.key).map(\.number) == numbers)
        #expect(table.remove(Self.key).isEmpty)
        #expect(numbers.map { answer($0) } == ["outdated", "outdated"])
        #expect(table.count == 0)
    }

    @Test("after a lost connection no earlier number counts")
    mutating func loss() {
        let old = insert()
        table.removeAll()
        let new = insert()
        #expect(answer(old) == "outdated")
        #expect(answer(new) == "current")
    }
}
