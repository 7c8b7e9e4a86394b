// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Platform
import Varlink

/// A secret that stands in a list, which only classes can while a `Secret` has one owner.
final class HeldSecret {
    let secret: Secret

    init(_ secret: consuming Secret) {
        self.secret = secret
    }
}

extension DaemonClient {
    /// Calls a method that takes these secrets, in its order; without any it is a plain call.
    ///
    /// To be called on a client made after the last question: the daemon closes a connection that waits for a person.
    ///
    /// - Parameter pieces: of a file, which follow the secrets.
    func call<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [HeldSecret],
        pieces: [UnsafeRawBufferPointer] = []
    ) throws -> Call.Reply {
        guard !secrets.isEmpty || !pieces.isEmpty else { return try self.call(call, within: Self.slow) }
        return try withBytes(of: secrets[...], behind: []) { try self.call(call, secrets: $0 + pieces) }
    }

    private func withBytes<R>(
        of secrets: ArraySlice<HeldSecret>,
        behind pointers: [UnsafeRawBufferPointer],
        _ body: ([UnsafeRawBufferPointer]) throws -> R
    ) throws -> R {
        guard let first = secrets.first else { return try body(pointers) }
        return try first.secret.withBytes { try withBytes(of: secrets.dropFirst(), behind: pointers + [$0], body) }
    }
}
