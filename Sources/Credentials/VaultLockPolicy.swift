// SPDX-License-Identifier: Apache-2.0

/// How long a vault that was unlocked with a passphrase stays unlocked.
package struct VaultLockPolicy: Sendable, Hashable {
    /// The maximum time without use.
    package let idle: Duration
    /// The maximum time since it was unlocked, regardless of use.
    package let absolute: Duration

    /// The maximum of both times, whatever the configuration.
    package static let hardCap = Duration.seconds(12 * 3600)
    /// The default: 10 minutes without use, 2 hours in all.
    package static let standard = VaultLockPolicy(idle: .seconds(600), absolute: .seconds(7200))

    /// Makes a policy. Both times are limited to `hardCap`.
    package init(idle: Duration, absolute: Duration) {
        self.idle = min(idle, Self.hardCap)
        self.absolute = min(absolute, Self.hardCap)
    }
}
