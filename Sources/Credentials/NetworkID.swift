// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Names the network that a plain-text permission is good for, as far as a LAN can be named: by its gateway.
package enum NetworkID {
    /// - Parameters:
    ///   - gateway: the link-layer address of the default gateway, as the kernel gives it.
    ///   - prefix: the network's address, host bits zero, and its length in bits.
    /// - Returns: 32 bytes.
    package static func make(
        gateway: [UInt8],
        prefix: [UInt8],
        prefixLength: UInt8
    ) throws(PlatformError) -> [UInt8] {
        try SHA256.digest(of: Array("rcv1/net".utf8) + gateway + prefix + [prefixLength])
    }
}
