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
    /// What of the domain is not taken.
    var omissions: [SourceOmission] {
        var omissions: [SourceOmission] = []
        if refusedAddresses > 0 { omissions.append(.addressesRefused(count: refusedAddresses)) }
        if ignoredInstances > 0 { omissions.append(.instancesIgnored(count: ignoredInstances)) }
        if unplaced > 0 { omissions.append(.instancesUnplaced(count: unplaced)) }
        return omissions
    }
}
