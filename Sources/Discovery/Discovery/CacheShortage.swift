// SPDX-License-Identifier: Apache-2.0

internal import Platform

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
