// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What one round found in a domain.
struct InstanceFindings: Sendable, Hashable {
    var sightings: [Sighting] = []
    /// Listed instances beyond the limit, twice, or of another domain.
    var ignoredInstances = 0
    /// Instances whose place is not known.
    var unplaced = 0
    /// Addresses outside of the allowed networks.
    var refusedAddresses = 0
}

extension InstanceFindings {
    /// What people should know of it.
    func notes(on source: SourceName) -> [String] {
        var notes: [String] = []
        func note(_ count: Int, _ text: String) {
            if count > 0 { notes.append("\(source): \(count) \(text)") }
        }
        note(refusedAddresses, "addresses lie outside of the networks that are allowed for it")
        note(ignoredInstances, "listed instances are too many or of another domain")
        note(unplaced, "listed instances have no usable SRV record")
        return notes
    }
}
