// SPDX-License-Identifier: Apache-2.0

/// What peers may cost a server. Whoever exceeds one is closed, without an answer; an HTTP request that is too long gets one.
public struct VarlinkLimits: Sendable, Hashable {
    /// Open connections of all peers.
    public var connections = 256

    /// Open connections of one process.
    public var connectionsPerProcess = 32

    /// Length of one request, its NUL not counted. Reading stops while more than this waits behind a running call.
    public var frameBytes = 256 << 10

    /// Arrays and objects inside one another in a request.
    public var frameDepth = 32

    /// From the first byte of a request to its NUL.
    public var frameTime: Duration = .seconds(5)

    /// Without a call and without a byte.
    public var idleTime: Duration = .seconds(60)

    /// From an upgrade's first reply to the last byte of the secret.
    public var secretTime: Duration = .seconds(60)

    /// Replies wait for the peer from this many unsent bytes on; so no more than this and one reply are held.
    public var outboundBytes = 64 << 10

    /// How long a peer may leave a full outbound buffer unread.
    public var stallTime: Duration = .seconds(30)

    /// Length of an HTTP request's URL and headers together. Its body is bounded by `frameBytes`, its time by `frameTime`.
    public var headBytes = 8 << 10

    /// Headers of an HTTP request.
    public var headFields = 64

    public init() {}
}
