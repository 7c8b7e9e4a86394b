// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension EventLoopFuture {
    /// The same as `get()`, which leaves the caller's executor to wait and comes back to it: two turns of the loop more.
    package func value() async throws -> Value where Value: Sendable {
        try await withUnsafeThrowingContinuation { continuation in
            // A future completes once.
            whenComplete { continuation.resume(with: $0) }
        }
    }
}
