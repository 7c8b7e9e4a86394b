// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Who an endpoint is to us at this moment, and the address where that holds.
package struct ServerIdentity: Sendable, Hashable {
    package let pin: Pin
    package let address: IPAddress
    package let port: UInt16
    /// The interface of a link-local address; nil for every other one.
    package let interface: String?
    /// The administrator has named this very fingerprint.
    package internal(set) var isVouchedFor = false
    /// The administrator permits plain HTTP to it.
    package internal(set) var isPlaintextPermitted = false

    init(pin: Pin, address: IPAddress, port: UInt16) {
        self.pin = pin
        self.address = address
        self.port = port
        interface = address.interfaceName
    }
}
