// SPDX-License-Identifier: Apache-2.0

/// Whether sightings were left out for want of room, and whether there is some again: their sources, which tell only what
/// changes, have to be asked to tell all once more.
struct Shortage: Sendable {
    private static let mostNames = 256

    /// The most discovered endpoints there were when one was left out or put out; nil while none is missing.
    private var peak: Int?
    /// Instance names with too many endpoints, or an endpoint with too many sightings.
    private var crowded: Set<InstanceName> = []
    private var hasEased = false

    mutating func leftOut(beside discovered: Int) {
        peak = max(peak ?? 0, discovered)
    }

    mutating func leftOut(_ name: InstanceName) {
        if crowded.count < Self.mostNames { crowded.insert(name) }
    }

    var isOfNames: Bool { !crowded.isEmpty }

    /// An endpoint or a sighting with this name has gone.
    mutating func eased(_ name: InstanceName) {
        if !crowded.isEmpty, crowded.contains(name) { hasEased = true }
    }

    /// True once for each shortage that is over. A quarter of the endpoints has to go first: asking at every gap would
    /// make those that are there take turns.
    mutating func takeEnd(with discovered: Int) -> Bool {
        let isOver = hasEased || peak.map { discovered <= $0 * 3 / 4 } ?? false
        if isOver { self = Shortage() }
        return isOver
    }
}
