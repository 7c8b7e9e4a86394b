// SPDX-License-Identifier: Apache-2.0

/// The resources that peers may use. If a peer exceeds a limit its connection is closed without a reply; an HTTP
/// request that is too long gets a response.
public struct VarlinkLimits: Sendable, Hashable {
    /// The number of open connections of all peers.
    public var connections = 256

    /// The number of open connections of one process.
    public var connectionsPerProcess = 32

    /// The length of one request without its NUL. Reading stops while more than this waits for a running call to end.
    public var frameBytes = 256 << 10

    /// The nesting depth of arrays and objects in a request.
    public var frameDepth = 32

    /// The time from the first byte of a request to its NUL.
    public var frameTime: Duration = .seconds(5)

    /// The time without a call and without a byte.
    public var idleTime: Duration = .seconds(60)

    /// The time from the first reply of an upgrade to the last byte of the secret.
    public var secretTime: Duration = .seconds(60)

    /// The number of unsent bytes at which further replies wait for the peer. At most this and one reply are held in
    /// memory.
    public var outboundBytes = 64 << 10

    /// The time that a peer may leave a full outbound buffer unread.
    public var stallTime: Duration = .seconds(30)

    /// The length of an HTTP request's URL and headers together. The body is limited by `frameBytes`, the time by
    /// `frameTime`.
    public var headBytes = 8 << 10

    /// The number of headers of an HTTP request.
    public var headFields = 64

    /// The default limits.
    public init() {}
}
