// SPDX-License-Identifier: Apache-2.0

internal import Platform

/// What we need to know of avahi-daemon.conf(5).
package struct AvahiConfiguration: Sendable, Hashable {
    package static let path = "/etc/avahi/avahi-daemon.conf"

    /// Records for each interface and protocol.
    package private(set) var cacheEntries = 4_096

    /// - Parameter text: the file; what is not understood counts as not said.
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

    /// What the file says now; Avahi's own values if it cannot be read.
    package static func current() -> AvahiConfiguration {
        AvahiConfiguration(TextFile.read(path, maximumBytes: 64 << 10) ?? "")
    }
}
