// SPDX-License-Identifier: Apache-2.0

internal import Platform

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
