// SPDX-License-Identifier: Apache-2.0

/// How often a limit of the registry was met since the daemon started.
package struct RegistryCounters: Sendable, Hashable {
    /// Sightings that were not taken: no room was left for their host, name or endpoint.
    package var dropped: UInt64 = 0
    /// Sightings with a name or host that is too long to be one.
    package var malformed: UInt64 = 0
    /// Sightings whose TXT record was cut.
    package var cut: UInt64 = 0
    /// Discovered endpoints that made room for others.
    package var evicted: UInt64 = 0
    /// Changes that watchers were not told one by one, because a newer one of the same endpoint came first.
    package var folded: UInt64 = 0

    package init() {}
}
