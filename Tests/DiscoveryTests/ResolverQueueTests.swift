// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Order of resolvers")
struct ResolverQueueTests {
    private var queue = ResolverQueue()

    private func key(_ name: String) -> Sighting.Key {
        let instance = ServiceInstance(name: name, type: "_xy._tcp", domain: "local")
        return Sighting.Key(instance: instance, interface: 2, family: .inet)
    }

    private mutating func rounds(_ count: Int, isBusy: Bool = false) -> [String] {
        (0..<count).compactMap { _ in
            if isBusy { queue.reported() }
            return queue.next()?.instance.name
        }
    }

    @Test("one resolver is made per round in FIFO order, once per instance, and none for a removed instance")
    mutating func order() {
        for name in ["a", "b", "a", "gone", "c"] { queue.append(key(name)) }
        queue.remove(key("gone"))
        #expect(!queue.isEmpty)
        #expect(rounds(5) == ["a", "b", "c"])
        #expect(queue.isEmpty)
    }

    @Test("an expedited instance goes first, and expediting an unknown one has no effect")
    mutating func expedite() {
        for name in ["a", "b", "c"] { queue.append(key(name)) }
        queue.expedite(key("c"))
        queue.expedite(key("d"))
        #expect(rounds(5) == ["c", "a", "b"])
    }

    @Test("Avahi's reports go first, but do not delay resolvers forever")
    mutating func busy() {
        for name in ["a", "b"] { queue.append(key(name)) }
        #expect(rounds(31, isBusy: true) == [])
        #expect(rounds(32, isBusy: true) == ["a"])
        #expect(rounds(1) == ["b"])
    }
}
