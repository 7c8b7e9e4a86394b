// SPDX-License-Identifier: Apache-2.0

/// Record of sightings that were dropped for want of capacity. Once there is some again, their sources, which report only
/// changes, have to report all once more.
struct OverflowTracker: Sendable {
    private static let mostNames = 256

    /// The most discovered endpoints there were when one was dropped or evicted; nil while none is missing.
    private var peak: Int?
    /// Instance names with too many endpoints, or an endpoint with too many sightings.
    private var crowded: Set<InstanceName> = []
    private var hasCapacity = false

    mutating func recordDrop(beside discovered: Int) {
        peak = max(peak ?? 0, discovered)
    }

    mutating func recordDrop(of name: InstanceName) {
        if crowded.count < Self.mostNames { crowded.insert(name) }
    }

    var isOfNames: Bool { !crowded.isEmpty }

    /// An endpoint or a sighting with this name has gone.
    mutating func recordRemoval(of name: InstanceName) {
        if !crowded.isEmpty, crowded.contains(name) { hasCapacity = true }
    }

    /// Returns true once when there is capacity again: a crowded name has lost an endpoint or a sighting, or the number of
    /// discovered endpoints has fallen to three quarters of its peak. Resyncing for every free slot would only make
    /// endpoints evict each other in turn.
    mutating func takeRecovery(with discovered: Int) -> Bool {
        let isOver = hasCapacity || peak.map { discovered <= $0 * 3 / 4 } ?? false
        if isOver { self = OverflowTracker() }
        return isOver
    }
}
