// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Account of the capacity that discovered endpoints use: their number in total and per host, the memory of their
/// sightings, and the order in which to evict them. Every operation takes amortised constant time.
struct DiscoveryQuota: Sendable {
    /// An endpoint that was only discovered.
    struct Entry {
        let id: EndpointID
        let number: UInt64
        let discoveredAt: HostName?
    }

    /// The number of endpoints that were only discovered.
    private(set) var discovered = 0
    /// The number of discovered endpoints per host.
    private var shares: [HostName: Int] = [:]
    /// The memory of all sightings, in bytes.
    var bytes = 0
    /// The discovered endpoints, oldest first. Some of them may have been removed, or kept, since they were added.
    private var queue: [(number: UInt64, id: EndpointID)] = []
    private var start = 0

    /// The length of the queue with removed endpoints: at most twice the number of discovered endpoints, plus 65.
    var queued: Int { queue.count }

    mutating func enter(_ entry: Entry) {
        discovered += 1
        if let host = entry.discoveredAt { shares[host, default: 0] += 1 }
        queue.append((entry.number, entry.id))
    }

    mutating func leave(_ entry: Entry) {
        discovered -= 1
        guard let host = entry.discoveredAt, let share = shares[host] else { return }
        shares[host] = share > 1 ? share - 1 : nil
    }

    /// Whether `host` may have one more endpoint. A host may always have one; beyond that it gets at most half of the
    /// capacity that other hosts leave free.
    func admits(_ host: HostName, limit: Int) -> Bool {
        let share = shares[host] ?? 0
        return share == 0 || 2 * (share + 1) <= limit - (discovered - share)
    }

    /// Removes and returns the oldest endpoint for which `isDiscovered` is true; nil if there is none.
    mutating func oldest(where isDiscovered: (UInt64, EndpointID) -> Bool) -> EndpointID? {
        defer { compact(where: isDiscovered) }
        while start < queue.count {
            let (number, id) = queue[start]
            start += 1
            if isDiscovered(number, id) { return id }
        }
        return nil
    }

    /// Removes endpoints from the queue that are gone, once they outnumber the others. Call before each `enter`:
    /// otherwise endpoints that come and go would make the queue grow until the capacity is used up.
    mutating func compact(where isDiscovered: (UInt64, EndpointID) -> Bool) {
        guard queue.count > 2 * discovered + 64 else { return }
        queue = queue[start...].filter { isDiscovered($0.number, $0.id) }
        start = 0
    }
}

/// A record of sightings that were dropped for lack of capacity. When there is capacity again, their sources must
/// report everything again, because they report only changes.
struct OverflowTracker: Sendable {
    private static let mostNames = 256

    /// The largest number of discovered endpoints at a drop or eviction; nil if there was none since the last recovery.
    private var peak: Int?
    /// Instance names with too many endpoints, or with an endpoint that has too many sightings. At most `mostNames`.
    private var crowded: Set<InstanceName> = []
    private var hasCapacity = false

    mutating func recordDrop(beside discovered: Int) {
        peak = max(peak ?? 0, discovered)
    }

    mutating func recordDrop(of name: InstanceName) {
        if crowded.count < Self.mostNames { crowded.insert(name) }
    }

    var isOfNames: Bool { !crowded.isEmpty }

    /// Records that an endpoint or a sighting with this name is gone.
    mutating func recordRemoval(of name: InstanceName) {
        if !crowded.isEmpty, crowded.contains(name) { hasCapacity = true }
    }

    /// Returns true once when there is capacity again: a crowded name has lost an endpoint or a sighting, or the number
    /// of discovered endpoints has fallen to three quarters of its peak. Resyncing for every free slot would only make
    /// endpoints evict each other in turn.
    mutating func takeRecovery(with discovered: Int) -> Bool {
        let isOver = hasCapacity || peak.map { discovered <= $0 * 3 / 4 } ?? false
        if isOver { self = OverflowTracker() }
        return isOver
    }
}
