// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// Which limits of the list were met since the daemon's start, and how often.
struct LimitsMet {
    /// nil where none was.
    let text: String?

    init(_ status: ManagerAPI.Status) {
        let counts: [(Int64, String)] = [
            (status.droppedSightings, "sightings dropped for want of room"),
            (status.malformedSightings, "malformed sightings"),
            (status.cutSightings, "sightings with a TXT that was cut"),
            (status.refusedAddresses, "addresses refused that a sighting may not lead to"),
            (status.evictedEndpoints, "endpoints that made room for others"),
            (status.foldedChanges, "changes told as one with a newer one"),
        ]
        let met = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        text = met.isEmpty ? nil : met.joined(separator: ", ")
    }
}
