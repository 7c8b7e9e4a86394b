// SPDX-License-Identifier: Apache-2.0

import Varlink

/// An interface that a server offers.
public protocol VarlinkInterface: Sendable {
    /// Such as `com.example.printing`; the same as in `description`.
    var name: String { get }

    /// The definition text. The server reads it when it is made, and answers calls of methods that it does not declare.
    var description: String { get }

    /// Carries out one call. Runs on the server's event loop, so it must not block.
    ///
    /// It answers by one final `reply(_:)`, before which it may send any number of `reply(continuing:)` when the caller
    /// wants more, or it throws. The task is cancelled when the caller goes away.
    ///
    /// - Throws: `VarlinkError` is sent as it is; `JSONShapeError` becomes `InvalidParameter`; any other error is logged
    ///   and becomes the server's `failure`, so that its text never reaches the peer.
    func call(_ call: VarlinkCall) async throws
}
