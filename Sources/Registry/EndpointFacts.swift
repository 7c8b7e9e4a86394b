// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// All that makes one endpoint exist, and all that is known of it. A flood makes thousands that have sightings only, so
/// the rest of it is kept apart.
struct EndpointFacts: Sendable {
    /// Enough for a host that renames itself, or gets another address, while others of its sightings lag behind.
    private static let formerLocators = 8

    let id: EndpointID
    /// Counts up with each endpoint that comes into the list: the lower, the longer it is there.
    let number: UInt64
    /// The host that it was discovered at, whose share of the quota it uses.
    let discoveredAt: HostName?
    @Boxed var entry: ManualEntry?
    @Boxed var memory: RememberedServer?
    /// What `memory` says is from before the daemon started: its source has not yet said whether it is there.
    var isAwaited = false
    /// What attempts to reach it have met.
    @Boxed var reachability: Reachability?
    /// In the order in which their keys came.
    private(set) var seen: [TrackedSighting] = []
    private var former: [HostOrAddress] = []

    init(id: EndpointID, number: UInt64, discoveredAt: HostName? = nil) {
        self.id = id
        self.number = number
        self.discoveredAt = discoveredAt
    }

    /// It stays when nobody announces it, and is never put out to make room.
    var isKept: Bool { entry != nil || memory != nil }

    /// Each once. They are few: a set would cost more than it spares.
    var names: [InstanceName] { Self.distinct(seen.lazy.map(\.name), memory?.name) }

    /// The addresses where it is, or was last sighted.
    var addressPlaces: [HostAndPort] {
        seen.isEmpty ? Self.distinct(memory?.addressPlaces ?? []) : Self.distinct(seen.lazy.map(\.addressPlace))
    }

    var sources: [SourceName] { Self.distinct(seen.lazy.map(\.sighting.key.source), memory?.source) }

    static func distinct<Element: Equatable>(
        _ elements: some Sequence<Element>,
        _ last: Element? = nil
    ) -> [Element] {
        var distinct: [Element] = []
        for element in elements where !distinct.contains(element) { distinct.append(element) }
        if let last, !distinct.contains(last) { distinct.append(last) }
        return distinct
    }

    /// Whether this server was sighted, or used, at the same host or at the same address.
    func knows(_ other: TrackedSighting) -> Bool {
        let locators = other.locators
        return seen.contains { $0.locators.contains(where: locators.contains) }
            || former.contains(where: locators.contains)
            || memory?.locators.contains(where: locators.contains) == true
            || memory?.usedLocators.contains(where: locators.contains) == true
    }

    func holds(_ key: Sighting.Key) -> Bool { seen.contains { $0.sighting.key == key } }

    mutating func put(_ new: TrackedSighting) {
        if let index = seen.firstIndex(where: { $0.sighting.key == new.sighting.key }) {
            let old = seen[index]
            seen[index] = new
            if !old.isSamePlace(as: new) { reachability = nil }
            rememberFormer(old.locators)
        } else {
            seen.append(new)
        }
        refreshMemory()
    }

    mutating func take(_ key: Sighting.Key) {
        guard let index = seen.firstIndex(where: { $0.sighting.key == key }) else { return }
        rememberFormer(seen.remove(at: index).locators)
        if seen.isEmpty, entry == nil { reachability = nil }
        refreshMemory()
    }

    mutating func markStale(where isLost: (Sighting.Key) -> Bool) {
        for index in seen.indices where isLost(seen[index].sighting.key) { seen[index].isStale = true }
    }

    /// It is used, where it is sighted now.
    mutating func remember() {
        guard let instance = memory?.instance ?? latest?.sighting.key.instance, let new = lastSight(as: instance)
        else { return }
        let old = memory
        memory = new
        rememberFormer((old?.locators ?? []) + (old?.usedLocators ?? []))
    }

    private mutating func refreshMemory() {
        guard let old = memory, var new = lastSight(as: old.instance) else { return }
        // Only use moves it: anybody may announce.
        new.usedHost = old.usedHost
        new.usedAddresses = old.usedAddresses
        memory = new
        rememberFormer(old.locators)
    }

    private func lastSight(as instance: ServiceInstance) -> RememberedServer? {
        guard let sighting = latest?.sighting else { return nil }
        return RememberedServer(
            instance: instance,
            source: sighting.key.source,
            interfaceName: sighting.interfaceName,
            host: sighting.host,
            port: sighting.port,
            scheme: sighting.scheme,
            path: sighting.path,
            addresses: addresses
        )
    }

    /// Keeps what no sighting shows any longer.
    private mutating func rememberFormer(_ locators: [HostOrAddress]) {
        for locator in locators
        where !former.contains(locator) && !seen.contains(where: { $0.locators.contains(locator) }) {
            former.append(locator)
        }
        if former.count > Self.formerLocators { former.removeFirst(former.count - Self.formerLocators) }
    }
}
