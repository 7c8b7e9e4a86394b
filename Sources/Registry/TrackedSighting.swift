// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// A sighting as the registry keeps it.
struct TrackedSighting: Sendable {
    let sighting: Sighting
    let name: InstanceName
    let host: HostName
    /// The lower, the longer ago its facts were told.
    let order: UInt64
    /// Known from before its source went away, or out of its source's sight.
    var isStale = false

    init(_ sighting: Sighting, order: UInt64) {
        self.sighting = sighting
        name = InstanceName(sighting.key.instance)
        host = HostName(sighting.host)
        self.order = order
    }

    /// A host without a name is nobody's.
    var locators: [HostOrAddress] {
        let address = HostOrAddress.address(sighting.address.bytes)
        return host.text.isEmpty ? [address] : [.host(host), address]
    }

    var places: [HostAndPort] { locators.map { HostAndPort(locator: $0, port: sighting.port) } }

    var addressPlace: HostAndPort { HostAndPort(locator: .address(sighting.address.bytes), port: sighting.port) }

    /// Of a source that a person has chosen, while anybody on the link may announce by multicast.
    var isOfChosenSource: Bool { sighting.key.source != .avahi }

    /// The same place to connect to, whatever else changed.
    func isSamePlace(as other: TrackedSighting) -> Bool {
        host == other.host && sighting.port == other.sighting.port && sighting.address == other.sighting.address
    }

    /// About what it takes in memory, in bytes, with its share of the endpoint that it leads to.
    var cost: Int { Self.cost(of: sighting) }

    /// As `cost`.
    static func cost(of sighting: Sighting) -> Int {
        let strings = sighting.txt.reduce(0) { $0 + 48 + $1.count }
        return 1_024 + 3 * sighting.key.instance.nameBytes.count + 3 * sighting.host.utf8.count + strings
    }
}
