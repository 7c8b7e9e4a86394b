// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Limits on the data that untrusted hosts and users can make the registry store.
package struct RegistryLimits: Sendable {
    /// Endpoints that were only discovered, at least 1. The oldest one is evicted for a new one. Its source reports it
    /// again once a quarter of them has disappeared.
    package var discovered = 8_192
    /// Endpoints with one instance name: one server, and those that conflict with it.
    package var endpointsPerName = 8
    /// Endpoints at one address and port that are candidates for the sightings of another source, at least 1.
    package var endpointsPerAddress = 8
    /// Sightings of one endpoint: interfaces times protocols times service types times sources.
    package var sightingsPerEndpoint = 64
    /// Endpoints that were added. The same limit applies to those that were used once.
    package var kept = 1_024
    /// The approximate memory of all sightings, in bytes.
    package var sightingBytes = 32 << 20
    /// The size of a TXT record with its length bytes. Strings beyond it are cut off.
    package var txtBytes = TXTStrings.maximumBytes
    /// The size of an instance name (RFC 6763, section 4.1.1).
    package var nameBytes = 63
    /// The size of a host name. It has 255 bytes on the wire, and a byte that is not text takes three in a `String`.
    package var hostBytes = 765
    /// The size of a service type or a domain, computed in the same way.
    package var domainBytes = 765
    /// Changes that watchers are sent in any one second, at least 1.
    package var changesPerSecond = 100
    /// Changes that may wait for a watcher before it is ended.
    package var watcherBacklog = 4_096
    /// Watchers at a time.
    package var watchers = 128
    /// Changes that are kept for watchers that reconnect, at least 1.
    package var history = 512
    /// The time for which changes are kept after the last watcher has left.
    package var resumeTime = Duration.seconds(60)
    /// The time for which sightings from before a source went down are kept after the source has settled. On a cold
    /// cache an answer may be late: by 1 s if one multicast question was lost, and by 3 s if two were (RFC 6762,
    /// section 5.2). Without this time, a restart of a service such as avahi-daemon would look as if servers
    /// disappeared and appeared again.
    package var grace = Duration.seconds(5)
    /// The shortest interval between two requests that sources report everything again.
    package var resyncInterval = Duration.seconds(10)

    /// The interval between two saves that no caller waits for. After a failed save, the backoff grows up to
    /// `longestSavePause`.
    package var savePause = Duration.seconds(10)
    /// The longest backoff after failed saves.
    package var longestSavePause = Duration.seconds(600)

    /// The default limits.
    package init() {}
}

/// Counters of the limits that the registry has reached since the daemon started.
package struct RegistryCounters: Sendable, Hashable {
    /// Sightings that were dropped, because there was no capacity for their host, name or endpoint.
    package var dropped: UInt64 = 0
    /// Sightings that cannot be a server's announcement: the name, type, domain or host is too long, the port is 0, or
    /// the path is invalid.
    package var malformed: UInt64 = 0
    /// Sightings whose TXT record was cut.
    package var cut: UInt64 = 0
    /// Discovered endpoints that were evicted for others.
    package var evicted: UInt64 = 0
    /// Changes that were merged with a newer one of the same endpoint before watchers were sent the earlier one.
    package var folded: UInt64 = 0

    /// All counters are 0.
    package init() {}
}
