// SPDX-License-Identifier: Apache-2.0

/// Figures about a server's load, for counters and for exiting when idle.
public struct VarlinkUsage: Sendable, Hashable {
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of running calls.
    public internal(set) var runningCalls = 0
    /// The number of calls since the server was created, including running ones.
    public internal(set) var calls = 0
    /// The number of calls that ended with an error.
    public internal(set) var errors = 0
    /// The number of connections that were refused, by the hook or because of a limit.
    public internal(set) var refused = 0

    /// All figures are 0.
    public init() {}
}
