// SPDX-License-Identifier: Apache-2.0

/// How busy a server is, for counters and for leaving when idle.
public struct VarlinkUsage: Sendable, Hashable {
    public internal(set) var connections = 0
    public internal(set) var runningCalls = 0

    public init() {}
}
