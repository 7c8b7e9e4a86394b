// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Identifies the network on which a plain-text permission holds. A LAN can be identified only by its gateway and
/// prefix.
package enum NetworkID {
    /// Makes the ID of a network.
    ///
    /// - Parameters:
    ///   - gateway: the link-layer address of the default gateway, as reported by the kernel.
    ///   - prefix: the network's address with host bits zero. `prefixLength` is its length in bits.
    /// - Returns: 32 bytes.
    package static func make(
        gateway: [UInt8],
        prefix: [UInt8],
        prefixLength: UInt8
    ) throws(PlatformError) -> [UInt8] {
        try SHA256.digest(of: Array("rcv1/net".utf8) + gateway + prefix + [prefixLength])
    }
}
