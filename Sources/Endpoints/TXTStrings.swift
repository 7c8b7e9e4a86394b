// SPDX-License-Identifier: Apache-2.0

/// The part of a TXT record that is kept, whatever its source.
package enum TXTStrings {
    /// The length on the wire, each string with its length byte: it fits one Ethernet frame (RFC 6763, section 6.2).
    package static let maximumBytes = 1_300
    /// The number of strings. An empty string takes one byte on the wire, but many in memory.
    package static let maximumCount = 64

    /// The leading strings that fit the limits.
    package static func fitting(_ strings: [[UInt8]], maximumBytes: Int = Self.maximumBytes) -> ArraySlice<[UInt8]> {
        var room = maximumBytes
        return strings.prefix(maximumCount).prefix { string in
            room -= 1 + string.count
            return room >= 0 && string.count <= 255
        }
    }
}
