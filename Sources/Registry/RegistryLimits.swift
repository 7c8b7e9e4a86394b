// SPDX-License-Identifier: Apache-2.0

/// Bounds on what strangers and users can make the registry hold.
package struct RegistryLimits: Sendable {
    /// Announced servers beyond this are dropped and counted.
    package var instances = 8_192
    /// Sightings of one server: interfaces times protocols times service types.
    package var sightingsPerInstance = 64
    package var manualEntries = 1_024
    /// Changes that a watcher may be behind before it is ended.
    package var watcherBacklog = 4_096
    package var watchers = 64

    package init() {}
}
