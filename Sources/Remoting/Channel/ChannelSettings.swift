// SPDX-License-Identifier: Apache-2.0

/// What one channel may use.
package struct ChannelSettings: Sendable, Hashable {
    /// Connections to the target at a time.
    package var connections: Int
    /// Calls that wait for a connection; one more is refused.
    package var waiting: Int
    package var connectTimeout: Duration
    /// How long an unused connection is kept.
    package var idleTimeout: Duration
    /// How long a server may pause within a reply that is passed on as it comes.
    package var pause: Duration
    /// How long such a reply keeps its connection's place from calls that wait. Then it goes on beside them.
    package var passage: Duration
    /// `message` bounds the body of a reply.
    package var limits: WireLimits
    /// Bytes of one read from the server; nil for as many as there are.
    package var readBytes: Int?

    package init(
        connections: Int = 16,
        waiting: Int = 256,
        connectTimeout: Duration = .seconds(3),
        idleTimeout: Duration = .seconds(30),
        pause: Duration = .seconds(60),
        passage: Duration = .seconds(1),
        limits: WireLimits = .standard
    ) {
        self.connections = connections
        self.waiting = waiting
        self.connectTimeout = connectTimeout
        self.idleTimeout = idleTimeout
        self.pause = pause
        self.passage = passage
        self.limits = limits
    }

    /// 16 connections, 256 waiting calls, 3 s to connect, 30 s idle.
    package static let standard = ChannelSettings()
}
