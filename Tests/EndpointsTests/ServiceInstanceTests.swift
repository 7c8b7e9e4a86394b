// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Service instances")
struct ServiceInstanceTests {
    private static func instance(
        _ name: String,
        _ type: String = "_a._tcp",
        _ domain: String = "local"
    ) -> ServiceInstance {
        ServiceInstance(name: name, type: type, domain: domain)
    }

    @Test("the same bytes are the same instance")
    func equal() {
        #expect(Self.instance("Büro") == Self.instance("Büro"))
        #expect(Set([Self.instance("Büro"), Self.instance("Büro")]).count == 1)
    }

    @Test(
        "other bytes are another instance, even if Swift considers the texts equal",
        arguments: [
            (instance("B\u{FC}ro"), instance("Bu\u{308}ro")), (instance("K"), instance("\u{212A}")),
            (instance("a"), instance("A")), (instance("a", "b", "c"), instance("a", "bc", "")),
            (instance("a", "_a._tcp", "local"), instance("a", "_a._tcp", "local.")),
        ]
    )
    func different(one: ServiceInstance, other: ServiceInstance) {
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
    }

    @Test("bytes outside UTF-8 distinguish instances that look the same")
    func brokenText() {
        let names: [[UInt8]] = [[0x61, 0xFF], [0x61, 0xFE], [0x61, 0xC0], Array("a\u{FFFD}".utf8)]
        let instances = names.map { ServiceInstance(nameBytes: $0, type: "_a._tcp", domain: "local") }
        #expect(Set(instances).count == 4)
        #expect(Set(instances.map(\.name)).count == 1)
    }
}
