// SPDX-License-Identifier: Apache-2.0

/// Bounds on what strangers on the link can make the browser hold.
package struct DiscoveryLimits: Sendable, Hashable {
    /// Instances of one type, each counted once per interface and protocol, at least 1.
    package var instancesPerType: Int
    /// Browsers and resolvers on one D-Bus connection, at least 1. avahi-daemon's default `objects-per-client-max` is 1,024.
    package var objectsPerConnection: Int

    package init(instancesPerType: Int = 8_192, objectsPerConnection: Int = 900) {
        self.instancesPerType = max(1, instancesPerType)
        self.objectsPerConnection = max(1, objectsPerConnection)
    }
}
