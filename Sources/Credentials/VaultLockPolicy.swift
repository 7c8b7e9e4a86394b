// SPDX-License-Identifier: Apache-2.0

/// How long a vault opened with a passphrase stays open.
package struct VaultLockPolicy: Sendable, Hashable {
    /// Without any use.
    package let idle: Duration
    /// Since it was unlocked, whatever its use.
    package let absolute: Duration

    /// No configuration keeps a vault open for longer.
    package static let hardCap = Duration.seconds(12 * 3600)
    package static let standard = VaultLockPolicy(idle: .seconds(600), absolute: .seconds(7200))

    /// Both are cut to `hardCap`.
    package init(idle: Duration, absolute: Duration) {
        self.idle = min(idle, Self.hardCap)
        self.absolute = min(absolute, Self.hardCap)
    }
}
