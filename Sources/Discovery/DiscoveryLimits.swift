// SPDX-License-Identifier: Apache-2.0

/// Limits of the resources that other hosts on the link can make the browser use.
package struct DiscoveryLimits: Sendable, Hashable {
    /// The number of instances of one type, at least 1. An instance counts once for each interface and protocol.
    package var instancesPerType: Int
    /// The number of browsers and resolvers on one D-Bus connection, at least 1. avahi-daemon's default
    /// `objects-per-client-max` is 1,024.
    package var objectsPerConnection: Int

    /// Limits with these values; values below 1 become 1.
    package init(instancesPerType: Int = 8_192, objectsPerConnection: Int = 900) {
        self.instancesPerType = max(1, instancesPerType)
        self.objectsPerConnection = max(1, objectsPerConnection)
    }
}
