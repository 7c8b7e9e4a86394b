// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What a watcher hears: the whole state first, or that he goes on from a revision, then every change with the revision
/// it led to.
package enum RegistryUpdate: Sendable, Hashable {
    case resumed(revision: UInt64)
    case snapshot(revision: UInt64, [Endpoint])
    case change(revision: UInt64, RegistryChange)
}
