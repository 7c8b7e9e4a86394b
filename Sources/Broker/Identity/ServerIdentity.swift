// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Who an endpoint is to us at this moment, and the address where that holds.
package struct ServerIdentity: Sendable, Hashable {
    package let pin: Pin
    package let address: IPAddress
    package let port: UInt16
}
