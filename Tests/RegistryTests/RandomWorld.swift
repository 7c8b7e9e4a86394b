// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport

@testable import Registry

/// The few names, hosts, addresses and locations of a random sequence.
struct RandomWorld {
    private static let names = [
        "Alpha", "ALPHA", "B\u{FC}ro", "Bu\u{308}ro", "Gamma", "Alpha #2", "far too long a name",
    ]
    private static let types = ["_Relativity_DataService_rosdk._tcp", "_Relativity_AdminService_rosdk._tcp"]
    private static let hosts = ["srv.local", "SRV.local.", "b.local", "single"]
    private static let addresses = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "fe80::1%2"].compactMap { IPAddress($0) }
    private static let urls = [
        "10.0.0.1", "10.0.0.2", "srv.local", "single", "https://10.0.0.1:8099/x", "fe80::1%eth2", "b.local:8099",
    ].compactMap { try? ServerURL(completing: $0) }
    private static let sources: [SourceName] = [.avahi, .avahi, .avahi, SourceName("dns:example.org")]

    private var random: SeededRandom
    private var idsMade = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Limits that are so narrow that they are reached, or in every third world so wide that they are not.
    private(set) lazy var limits: RegistryLimits = {
        var limits = RegistryLimits()
        limits.nameBytes = 12
        limits.txtBytes = 8
        guard !chance(3) else { return limits }
        limits.discovered = pick([1, 3, 4, 6])
        limits.endpointsPerName = pick([2, 3])
        limits.endpointsPerAddress = pick([1, 2, 8])
        limits.sightingsPerEndpoint = pick([2, 4])
        limits.kept = pick([2, 3])
        limits.sightingBytes = pick([2_500, 5_000, 100_000])
        return limits
    }()

    private static let derivedIDs = (0..<1_024).compactMap { EndpointID("k\($0)") }

    /// Distinguishes the names above like DNS, without the cost of a digest.
    @Sendable static func derive(_ instance: ServiceInstance, _ host: HostName?) -> EndpointID {
        let initial = instance.name.utf8.first ?? 0
        let name = Int(initial | 0x20) + (instance.name.utf8.count % 2 == 0 ? 128 : 0)
        let shift = host.map { 1 + Int($0.text.utf8.count) % 3 } ?? 0
        return derivedIDs[(name + 256 * shift + (instance.domain == "local" ? 0 : 17)) % derivedIDs.count]
    }

    mutating func number(below count: Int) -> Int { Int(random.next() % UInt64(count)) }

    /// Returns true with a probability of one in `count`.
    mutating func chance(_ count: Int) -> Bool { number(below: count) == 0 }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

    mutating func source() -> SourceName { pick(Self.sources) }

    mutating func sighting() -> Sighting {
        .made(
            pick(Self.names),
            source: source(),
            type: pick(Self.types),
            interface: pick([2, 3]),
            host: pick(Self.hosts),
            port: pick([7099, 7099, 8099]),
            at: pick(Self.addresses),
            txt: pick([[], ["v=1"], ["v=1", "too=long"]])
        )
    }

    mutating func entry() -> ManualEntry {
        ManualEntry(
            name: pick(["one", "two", "three", "Alpha"]),
            url: pick(Self.urls),
            origin: pick([.manual, .imported])
        )
    }

    mutating func settings() -> EndpointSettings {
        EndpointSettings {
            $0.scheme = pick([nil, .https])
            $0.path = pick([nil, "/x"])
            $0.dataService = pick([nil, "D"])
            $0.loginService = pick([nil, "L"])
            $0.isHidden = pick([nil, true, false])
        }
    }

    mutating func contact() -> Contact {
        pick([.reached, .failed(StateReason(code: .noAnswer)), .conflict(StateReason(code: .otherKey))])
    }

    /// An ID that sorts before or after the derived ones.
    mutating func freshID() -> EndpointID {
        idsMade += 1
        return EndpointID("\(pick(["a", "z"]))\(idsMade)") ?? Self.derivedIDs[0]
    }
}
