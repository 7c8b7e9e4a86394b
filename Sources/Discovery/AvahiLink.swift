// SPDX-License-Identifier: Apache-2.0

/// What an `AvahiUser` keeps of its connections to avahi-daemon.
struct AvahiLink {
    var state = ConnectionState()
    /// What the first one reports is the state of all; others only take objects that it has no room for.
    var connections: [AvahiConnection] = []
    var connectionsMade = 0
    var retryTimer: LoopTimer?
    /// While there is no system bus.
    var busArrival: FileArrival?
}
