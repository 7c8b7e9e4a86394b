// SPDX-License-Identifier: Apache-2.0

import Varlink

/// An interface that a server offers.
public protocol VarlinkInterface: Sendable {
    /// Such as `com.example.printing`; the same as in `description`.
    var name: String { get }

    /// The definition text. The server reads it when it is made, and answers calls of methods that it does not declare.
    var description: String { get }

    /// Whether a method only looks: no harm if a call is made twice or by mistake. Over HTTP such a one may be called by
    /// `GET`. No method is, unless the interface says so.
    func isSafe(_ method: String) -> Bool

    /// Carries out one call. Runs on the server's event loop, so it must not block.
    ///
    /// It answers by one final `reply(_:)`, before which it may send any number of `reply(continuing:)` when the caller
    /// wants more, or it throws. The task is cancelled when the caller goes away.
    ///
    /// - Throws: `VarlinkError` and `VarlinkErrorRecord` are sent as they are. `JSONShapeError` becomes
    ///   `InvalidParameter`. Any other error is logged and becomes the server's `failure`, so that its text never reaches
    ///   the peer.
    func call(_ call: VarlinkCall) async throws
}

extension VarlinkInterface {
    public func isSafe(_ method: String) -> Bool { false }
}
