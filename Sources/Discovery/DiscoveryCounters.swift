// SPDX-License-Identifier: Apache-2.0

/// What a browser did and holds, for the status call.
package struct DiscoveryCounters: Sendable, Hashable, Codable {
    /// Open resolvers now.
    package var resolvers = 0
    /// D-Bus connections now.
    package var connections = 0
    /// How often a connection to Avahi was given up.
    package var failures = 0
    /// Instances that were not resolved because their type had reached its limit.
    package var instancesDropped = 0
    /// Instances whose name Avahi would not resolve.
    package var instancesRefused = 0
    /// Resolvers that got no answer, or whose answer was not renewed.
    package var unanswered = 0
    /// TXT records that were cut at their limit.
    package var recordsTruncated = 0
    /// Instances that have no answer now, though Avahi names them.
    package var silent = 0
    /// Instances that Avahi names on the one interface and protocol where there are most.
    package var namedOnFullestLink = 0
    /// Events told.
    package var events = 0

    package init() {}
}
