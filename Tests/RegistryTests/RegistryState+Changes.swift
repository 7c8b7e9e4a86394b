// SPDX-License-Identifier: Apache-2.0

import Endpoints

@testable import Registry

extension RegistryState {
    /// Returns the changes that watchers receive after an action.
    mutating func changes<Failure>(
        _ body: (inout RegistryState) throws(Failure) -> Void
    ) throws(Failure) -> [RegistryChange] {
        table.pending.isRecording = true
        try body(&self)
        return table.drain()
    }

    mutating func see(_ sightings: Sighting...) -> [RegistryChange] {
        hear(sightings.map { (.sighted($0), $0.key.source) })
    }

    mutating func lose(_ sightings: Sighting...) -> [RegistryChange] {
        hear(sightings.map { (.vanished($0.key), $0.key.source) })
    }

    mutating func hear(_ event: SightingEvent, from source: SourceName = .avahi) -> [RegistryChange] {
        hear([(event, source)])
    }

    private mutating func hear(_ events: [(SightingEvent, SourceName)]) -> [RegistryChange] {
        changes { state in
            for (event, source) in events { state.apply(event, from: source) }
        }
    }

    mutating func add(_ name: String, _ address: String, id: EndpointID) throws -> [RegistryChange] {
        let entry = ManualEntry(name: name, url: try ServerURL(completing: address))
        return try changes { _ = try $0.add(entry, id: id) }
    }
}

extension EndpointTable {
    /// Removes and returns all changes for watchers.
    mutating func drain() -> [RegistryChange] {
        var changes: [RegistryChange] = []
        while let change = nextChange() { changes.append(change) }
        return changes
    }
}
