// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What a watcher hears: the whole state first, then every change with the revision it led to.
package enum RegistryUpdate: Sendable, Hashable {
    case snapshot(revision: UInt64, [Endpoint])
    case change(revision: UInt64, RegistryChange)
}
