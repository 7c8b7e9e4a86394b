// SPDX-License-Identifier: Apache-2.0

/// The state of a sighting's interface when Avahi removes the sighting.
enum LinkState: Sendable {
    /// The link was up all the time: the service has sent a goodbye, or its records have expired.
    case steady
    /// The link has just come back, or the wall clock has jumped, which makes Avahi expire its records.
    case shaken
    /// The link is down, or has no address of the sighting's family.
    case away
}
