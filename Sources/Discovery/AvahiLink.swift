// SPDX-License-Identifier: Apache-2.0

/// The connections of an `AvahiUser` to avahi-daemon, with their state.
struct AvahiLink {
    var state = ConnectionState()
    /// The state of the first connection is the state of all. The others only take objects for which the first has no
    /// capacity.
    var connections: [AvahiConnection] = []
    var connectionsMade = 0
    var retryTimer: LoopTimer?
    /// Set while there is no system bus.
    var busArrival: FileArrival?
}
