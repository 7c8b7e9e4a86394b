// SPDX-License-Identifier: Apache-2.0

/// The counters of a browser, for the status call.
package struct DiscoveryCounters: Sendable, Hashable, Codable {
    /// The number of open resolvers.
    package var resolvers = 0
    /// The number of D-Bus connections.
    package var connections = 0
    /// How often a connection to Avahi was dropped because of an error.
    package var failures = 0
    /// The number of instances that were not resolved because their type had reached its limit.
    package var instancesDropped = 0
    /// The number of instances that Avahi refused to resolve.
    package var instancesRefused = 0
    /// The number of resolvers that got no result, or whose result expired.
    package var unanswered = 0
    /// The number of TXT records that were truncated at their limit.
    package var recordsTruncated = 0
    /// The number of instances that have no result now, though Avahi reports them.
    package var silent = 0
    /// The number of instances that Avahi reports on the interface and protocol that has most of them.
    package var namedOnFullestLink = 0
    /// The number of events that were emitted.
    package var events = 0

    /// All counters are 0.
    package init() {}
}
