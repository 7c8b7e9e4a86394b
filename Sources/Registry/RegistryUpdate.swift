// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What a watcher hears: the whole state first, or that he goes on from a revision, then every change with the revision
/// it led to.
///
/// Indirect, because one change waits in the queues of many watchers.
package indirect enum RegistryUpdate: Sendable, Hashable {
    case resumed(revision: UInt64)
    case snapshot(revision: UInt64, [Endpoint])
    case change(revision: UInt64, RegistryChange)
}
