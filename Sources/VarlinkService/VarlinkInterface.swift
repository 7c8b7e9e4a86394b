// SPDX-License-Identifier: Apache-2.0

import Varlink

/// An interface that a server offers.
public protocol VarlinkInterface: Sendable {
    /// The name, such as `com.example.printing`; the same as in `description`.
    var name: String { get }

    /// The definition text. The server parses it when it is created, and itself rejects calls of methods that are not
    /// declared.
    var description: String { get }

    /// Whether a method only reads, so that calling it twice or by mistake does no harm. Over HTTP such a method can
    /// be called by `GET`. The default is false for all methods.
    func isSafe(_ method: String) -> Bool

    /// Handles one call. Runs on the server's event loop, so it must not block.
    ///
    /// It ends with one final `reply(_:)`, or throws. If the caller wants more, it may first send any number of
    /// `reply(continuing:)`. The task is cancelled when the caller disconnects.
    ///
    /// - Throws: `VarlinkError` and `VarlinkErrorRecord` are sent unchanged. `JSONShapeError` becomes
    ///   `InvalidParameter`. Any other error is logged and becomes the server's `failure`, so that its text never
    ///   reaches the peer.
    func call(_ call: VarlinkCall) async throws
}

extension VarlinkInterface {
    /// No method is safe.
    public func isSafe(_ method: String) -> Bool { false }
}
