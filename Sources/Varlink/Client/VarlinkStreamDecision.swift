// SPDX-License-Identifier: Apache-2.0

/// Whether the reader of a stream wants another reply.
public enum VarlinkStreamDecision: Sendable, Hashable {
    case next
    /// Closes the connection, which is the protocol's way to end a stream.
    case stop
}
