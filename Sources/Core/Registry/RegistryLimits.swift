// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Bounds on what strangers and users can make the registry hold.
package struct RegistryLimits: Sendable {
    /// Endpoints that were only discovered, at least 1. The one that came first makes room for a new one, and is told again
    /// by its source once a quarter of them has gone.
    package var discovered = 8_192
    /// Endpoints with one instance name: one server, and those that conflict with it.
    package var endpointsPerName = 8
    /// Endpoints at one address and port that come into question for the sightings of another source, at least 1.
    package var endpointsPerAddress = 8
    /// Sightings of one endpoint: interfaces times protocols times service types times sources.
    package var sightingsPerEndpoint = 64
    /// Endpoints that were added, and again as many that were used once.
    package var kept = 1_024
    /// What all sightings take in memory, about.
    package var sightingBytes = 32 << 20
    /// A TXT record with its length bytes: what is more is cut off.
    package var txtBytes = TXTStrings.maximumBytes
    /// RFC 6763, section 4.1.1.
    package var nameBytes = 63
    /// A host name has 255 bytes, and one that is no text takes three in a `String`.
    package var hostBytes = 765
    /// A service type, and a domain, likewise.
    package var domainBytes = 765
    /// Changes that watchers are told in any one second, at least 1.
    package var changesPerSecond = 100
    /// Changes that a watcher may be behind before it is ended.
    package var watcherBacklog = 4_096
    package var watchers = 128
    /// Changes that are kept for watchers who come back, at least 1.
    package var history = 512
    /// How long changes are kept after the last watcher has left.
    package var resumeTime = Duration.seconds(60)
    /// How long what was known before a source went away is kept after it has settled: on a cold cache an answer may come
    /// later, by 1 s where one multicast question was lost and by 3 s where two were (RFC 6762, section 5.2). Without it,
    /// a restart below would be seen as servers going and coming.
    package var grace = Duration.seconds(5)
    /// Between two times that sources are asked to tell everything again.
    package var resyncInterval = Duration.seconds(10)

    /// Between two saves that nobody waits for. After one that failed, the pauses grow up to the longest.
    package var savePause = Duration.seconds(10)
    package var longestSavePause = Duration.seconds(600)

    package init() {}
}

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
