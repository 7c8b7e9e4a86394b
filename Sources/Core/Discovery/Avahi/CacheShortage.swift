// SPDX-License-Identifier: Apache-2.0

internal import Platform

/// A sign that avahi-daemon's cache is too small for the network. avahi-daemon does not report this. Instances that do
/// not fit are missing.
package struct CacheShortage: Sendable, Hashable {
    /// The number of records of one service: PTR, SRV and TXT. The addresses of its host are shared.
    private static let recordsPerInstance = 3
    /// An upper bound, beyond the size of any cache.
    private static let mostInstances = 1 << 24

    /// The value of `cache-entries-max` that is in force.
    package let limit: Int
    /// The value that `cache-entries-max` should be raised to.
    package let remedy: Int

    /// Compares the number of instances with the size of the cache.
    ///
    /// - Parameters:
    ///   - instances: the number of instances that Avahi names, on the interface and protocol that has most of them.
    ///   - silent: the number of those that Avahi cannot resolve.
    ///   - limit: `cache-entries-max`, records for each interface and protocol.
    /// - Returns: nil if the cache cannot be the reason why the list is incomplete. Other announcements and addresses
    ///   take space too, so a cache that looks half full may be the reason if there are services without a result.
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

/// The settings of avahi-daemon.conf(5) that this module needs.
package struct AvahiConfiguration: Sendable, Hashable {
    /// The path of the configuration file.
    package static let path = "/etc/avahi/avahi-daemon.conf"

    /// The limit of cached records for each interface and protocol.
    package private(set) var cacheEntries = 4_096

    /// - Parameter text: the content of the file. Lines that are not understood are ignored.
    package init(_ text: String) {
        var isServer = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0.isWhitespace }
            if line.hasPrefix("[") { isServer = line.hasPrefix("[server]") }
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            if isServer, parts.count == 2, parts[0] == "cache-entries-max", let value = UInt32(parts[1]) {
                cacheEntries = Int(value)
            }
        }
    }

    /// Reads the current file; Avahi's defaults if it cannot be read.
    package static func current() -> AvahiConfiguration {
        AvahiConfiguration(TextFile.read(path, maximumBytes: 64 << 10) ?? "")
    }
}
