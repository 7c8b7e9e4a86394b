// SPDX-License-Identifier: Apache-2.0

/// How busy a server is, for counters and for leaving when idle.
public struct VarlinkUsage: Sendable, Hashable {
    public internal(set) var connections = 0
    public internal(set) var runningCalls = 0
    /// Since the server was made, those that run too.
    public internal(set) var calls = 0
    /// Calls that were answered by an error.
    public internal(set) var errors = 0
    /// Connections that did not get in: by the hook, or beyond a limit.
    public internal(set) var refused = 0

    public init() {}
}
