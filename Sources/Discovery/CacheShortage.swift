// SPDX-License-Identifier: Apache-2.0

/// That avahi-daemon's cache is too small for the network. avahi-daemon says nothing of it: what does not fit is missing.
package struct CacheShortage: Sendable, Hashable {
    /// Records that a service takes: PTR, SRV and TXT. The addresses of its host are shared.
    private static let recordsPerInstance = 3
    /// More than any cache is made for.
    private static let mostInstances = 1 << 24

    /// `cache-entries-max` that is in force.
    package let limit: Int
    /// What to raise it to.
    package let remedy: Int

    /// - Parameters:
    ///   - instances: those that Avahi names, on the one interface and protocol where there are most.
    ///   - silent: those of them that Avahi cannot resolve.
    ///   - limit: `cache-entries-max`, records for each interface and protocol.
    /// - Returns: nil as long as the cache cannot be what limits the list. Other announcements and addresses take room, too,
    ///   so that a cache that looks half full is suspicious where there are services without an answer.
    package init?(instances: Int, silent: Int, limit: Int) {
        let records = min(instances, Self.mostInstances) * Self.recordsPerInstance
        guard limit > 0 else { return nil }
        guard records >= limit - limit / 10 || (silent > 0 && records >= limit / 2) else { return nil }
        self.limit = limit
        var remedy = 4_096
        while remedy < max(records, min(limit, Self.mostInstances)) * 4 { remedy *= 2 }
        self.remedy = remedy
    }
}
