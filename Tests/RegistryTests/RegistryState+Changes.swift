// SPDX-License-Identifier: Apache-2.0

import Endpoints

@testable import Registry

extension RegistryState {
    /// Empty, and watched.
    static func watched(_ limits: RegistryLimits = RegistryLimits()) -> RegistryState {
        var state = RegistryState(limits: limits)
        state.isWatched = true
        return state
    }

    /// What watchers are told after something was done.
    mutating func changes<Failure>(
        _ body: (inout RegistryState) throws(Failure) -> Void
    ) throws(Failure) -> [RegistryChange] {
        try body(&self)
        var changes: [RegistryChange] = []
        while let change = nextChange() { changes.append(change) }
        return changes
    }

    mutating func see(_ sightings: Sighting...) -> [RegistryChange] {
        changes { state in
            for sighting in sightings { state.apply(.sighted(sighting), from: sighting.key.source) }
        }
    }

    mutating func lose(_ sightings: Sighting...) -> [RegistryChange] {
        changes { state in
            for sighting in sightings { state.apply(.vanished(sighting.key), from: sighting.key.source) }
        }
    }

    mutating func hear(_ event: SightingEvent, from source: SourceName = .avahi) -> [RegistryChange] {
        changes { $0.apply(event, from: source) }
    }

    mutating func add(_ name: String, _ address: String, id: EndpointID) throws -> [RegistryChange] {
        let entry = ManualEntry(name: name, url: try ServerURL(completing: address))
        return try changes { _ = try $0.add(entry, id: id) }
    }
}
