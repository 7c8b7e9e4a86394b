// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What a watcher hears: the whole state first, then every change with the revision it led to.
package enum RegistryUpdate: Sendable, Hashable {
    case snapshot(revision: UInt64, [Endpoint])
    case change(revision: UInt64, RegistryChange)
}

/// Why the list is what it is: what its sources are doing.
package struct RegistrySourceStatus: Sendable, Hashable {
    package var state: SourceState
    package var isSettled: Bool
    /// How long the source has worked; nil while it does not.
    package var upFor: Duration?
    /// How long ago it last reported a server; nil when it never did since it came up.
    package var heardAgo: Duration?
}
