// SPDX-License-Identifier: Apache-2.0

/// How much of a TXT record is kept, whatever source it comes from.
package enum TXTStrings {
    /// On the wire, each string with its length byte: one Ethernet frame's worth (RFC 6763, section 6.2).
    package static let maximumBytes = 1_300
    /// An empty string takes one byte on the wire, and many in memory.
    package static let maximumCount = 64

    /// The strings from the first on, as many as fit.
    package static func fitting(_ strings: [[UInt8]], maximumBytes: Int = Self.maximumBytes) -> ArraySlice<[UInt8]> {
        var room = maximumBytes
        return strings.prefix(maximumCount).prefix { string in
            room -= 1 + string.count
            return room >= 0 && string.count <= 255
        }
    }
}
