// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// What `relctl doctor` looks at. Gathered in one place, judged in another, so that each judgement can be tried without
/// the trouble that it is about.
struct DoctorFacts {
    enum Daemon {
        case answers(StatusRecord)
        case unreachable(errno: Int32)
        /// Somebody listens, and says nothing.
        case silent
        case failed(reason: String)
    }

    /// Whether somebody listens on a Unix socket.
    enum Listener: Equatable {
        case listens
        case refuses(errno: Int32)
    }

    enum Avahi: Equatable {
        case answers
        case notInstalled
        case notRunning
        /// It runs and answers nothing.
        case silent
    }

    struct Interface: Equatable {
        var name: String
        var isUp: Bool
        var isRunning: Bool
        var takesMulticast: Bool
        var addresses: Int
    }

    /// A UDP socket on port 5353.
    struct MulticastSocket: Hashable {
        var user: String
        /// Of its process; nil where we may not look.
        var program: String?
    }

    var socketPath: String
    var daemon: Daemon
    var busPath: String
    var bus: Listener
    var avahi: Avahi
    /// Without loopback.
    var interfaces: [Interface]
    var multicastSockets: Set<MulticastSocket>
    /// Servers that another one passes itself off as, or that have changed.
    var conflicts: [EndpointRecord] = []
}
