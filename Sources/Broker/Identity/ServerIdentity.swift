// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The current identity of an endpoint, and the address for which it is valid.
package struct ServerIdentity: Sendable, Hashable {
    /// The identity that the server has proved, or the address that stands for it.
    package let pin: Pin
    /// The server's address.
    package let address: IPAddress
    /// The server's port.
    package let port: UInt16
    /// The interface of a link-local address; nil for other addresses.
    package let interface: String?
    /// Whether the administrator has pinned this fingerprint.
    package internal(set) var isVouchedFor = false
    /// Whether the administrator permits plain HTTP to the server.
    package internal(set) var isPlaintextPermitted = false

    init(pin: Pin, address: IPAddress, port: UInt16) {
        self.pin = pin
        self.address = address
        self.port = port
        interface = address.interfaceName
    }
}
