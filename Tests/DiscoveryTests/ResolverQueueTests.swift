// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Whose resolver is made when")
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

    @Test("one in a round, in the order in which they came; once however often it came; none that has gone")
    mutating func order() {
        for name in ["a", "b", "a", "gone", "c"] { queue.append(key(name)) }
        queue.remove(key("gone"))
        #expect(!queue.isEmpty)
        #expect(rounds(5) == ["a", "b", "c"])
        #expect(queue.isEmpty)
    }

    @Test("one that somebody waits for goes first; to hurry what does not wait means nothing")
    mutating func hurry() {
        for name in ["a", "b", "c"] { queue.append(key(name)) }
        queue.hurry(key("c"))
        queue.hurry(key("d"))
        #expect(rounds(5) == ["c", "a", "b"])
    }

    @Test("what Avahi reports goes before, but for ever it keeps nobody waiting")
    mutating func busy() {
        for name in ["a", "b"] { queue.append(key(name)) }
        #expect(rounds(31, isBusy: true) == [])
        #expect(rounds(32, isBusy: true) == ["a"])
        #expect(rounds(1) == ["b"])
    }
}
