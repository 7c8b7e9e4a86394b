// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

private let type = "_xy._tcp"

/// Host 1 browses, host 2 publishes.
@Suite(
    "Discovery on a LAN",
    .serialized,
    .enabled(if: Requirement.allMet([.root, .avahi]), "needs root and avahi-daemon"),
    .timeLimit(.minutes(3))
)
struct LiveDiscoveryTests {
    @Test("a server appears on IPv4 and IPv6 under separate keys, changes its TXT record, and vanishes")
    func lifeOfAServer() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let browser = try Observer(browsing: [type, "_zz._tcp"], on: 1, of: lan)
            try await browser.wait(for: .source(.up))
            try await browser.wait(for: .settled)
            let publisher = try Observer(publishing: ["My server"], type, 7_099, txt: ["a=1", "b=2"], on: 2, of: lan)
            let published = try await publisher.wait { $0.published == "My server" }.at
            let first = try await browser.awaitSighting { _ in true }
            let second = try await browser.awaitSighting { $0.key != first.sighting.key }.sighting
            print("sighted \(first.at - published) ms after it was published")

            #expect(Set([first.sighting.key.family, second.key.family]) == [.inet, .inet6])
            for sighting in [first.sighting, second] {
                #expect(sighting.key.instance == ServiceInstance(name: "My server", type: type, domain: "local"))
                #expect(sighting.key.family == sighting.address.family)
                #expect(sighting.interfaceName == "eth0")
                #expect(sighting.host == "h2.local")
                #expect(sighting.port == 7_099)
                #expect(sighting.txt == [Array("a=1".utf8), Array("b=2".utf8)])
                #expect(!sighting.isLocal)
            }
            let ipv4 = first.sighting.key.family == .inet ? first.sighting : second
            let ipv6 = first.sighting.key.family == .inet ? second : first.sighting
            #expect(ipv4.address == IPAddress("10.77.0.2"))
            #expect(ipv6.address.isLinkLocalIPv6 && Int32(ipv6.address.scope) == ipv6.key.interface)

            publisher.tell("txt c=3 d=4 e")
            for family in [AddressFamily.inet, .inet6]
            where browser.sightings.values.first(where: { $0.key.family == family })?.txt.count != 3 {
                let changed = try await browser.awaitSighting { $0.key.family == family && $0.txt.count == 3 }
                #expect(changed.sighting.txt == ["c=3", "d=4", "e"].map { Array($0.utf8) })
            }

            publisher.tell("stop")
            try await browser.wait { _ in browser.sightings.isEmpty }
        }
    }

    @Test("a publisher announces again after a restart of avahi-daemon")
    func publisherRestart() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            let publisher = try Observer(publishing: ["Returns"], type, 7_099, txt: [], on: 2, of: lan)
            try await browser.awaitSighting { _ in true }
            try await lan.avahi(.terminate, on: 2)
            try await publisher.wait { $0.unpublished != nil }
            try await browser.wait { _ in browser.sightings.isEmpty }
            try await lan.avahi(.start, on: 2)
            try await publisher.wait { $0.published == "Returns" }
            try await browser.awaitSighting { $0.key.instance.name == "Returns" }
        }
    }

    @Test("a taken name, on this host or another, is replaced by an alternative")
    func collision() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let first = try Observer(publishing: ["Taken"], type, 1, txt: [], on: 1, of: lan)
            try await first.wait { $0.published == "Taken" }
            let same = try Observer(publishing: ["Taken"], type, 2, txt: [], on: 1, of: lan)
            try await same.wait { $0.published == "Taken #2" }
            let other = try Observer(publishing: ["Taken"], type, 3, txt: [], on: 2, of: lan)
            try await other.wait { $0.published == "Taken #3" }
        }
    }

    @Test("without avahi-daemon or a system bus, discovery is down with a reason until they appear")
    func nothingThere() async throws {
        try await LAN.with(.hosts(2), bare: [1], busless: [2]) { lan in
            let bare = try Observer(browsing: [type], on: 1, of: lan)
            let busless = try Observer(browsing: [type], on: 2, of: lan)
            #expect(try await bare.awaitDown() == .avahiNotRunning)
            #expect(try await busless.awaitDown() == .busUnreachable)
            try await lan.bus(.start, on: 2)
            #expect(try await busless.awaitDown() == .avahiNotRunning)
            for host in [1, 2] { try await lan.avahi(.start, on: host) }
            for observer in [bare, busless] {
                try await observer.wait(for: .source(.up))
                try await observer.wait(for: .settled)
            }
        }
    }

    @Test("an avahi-daemon that hangs delays neither stop nor the counters")
    func hanging() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            let publisher = try Observer(publishing: ["Hangs"], type, 7_099, txt: [], on: 1, of: lan)
            try await publisher.wait { $0.published != nil }
            try await browser.awaitSighting { $0.isLocal }
            try await lan.avahi(.stop, on: 1)
            let connections = try await browser.counter("connections")
            #expect(connections == 1)
            let milliseconds = try await browser.stop()
            #expect(milliseconds < 100)
            try await lan.avahi(.continue, on: 1)
        }
    }

    @Test("one host alone is discovered on its loopback interface")
    func loopback() async throws {
        try await LAN.with(.loopback) { lan in
            let browser = try Observer(browsing: [type], on: 1, of: lan)
            let publisher = try Observer(publishing: ["Here"], type, 7_099, txt: [], on: 1, of: lan)
            let sighting = try await browser.awaitSighting { _ in true }.sighting
            #expect(sighting.isLocal && sighting.address.isLoopback && sighting.interfaceName == "lo")
            publisher.tell("stop")
            try await browser.wait { _ in browser.sightings.isEmpty }
        }
    }
}
