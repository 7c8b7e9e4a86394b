// SPDX-License-Identifier: Apache-2.0

/// Reason why a password may not go to a server unencrypted.
package enum PlaintextRefusal: Error, Hashable {
    case notPermitted
    /// The permission holds on another network than this one; nil if this one has no id.
    case otherNetwork([UInt8]?)
    /// The permission holds on one interface, or on none, and the server is on these.
    case otherInterface(permitted: String?, found: [String])
    /// The kernel does not report whose process answers on this port of this machine.
    case ownerUnknown(port: UInt16)
}
