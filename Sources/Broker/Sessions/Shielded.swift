// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore

/// Runs work that belongs to a session, not to the caller that happened to cause it, and completes it even if the
/// caller's task is cancelled.
///
/// A tool that disconnects must not cancel a login that other callers wait for. A lease that ends because its holder
/// has disconnected must still be logged out. The work must bound its own time.
func shielded<Result: Sendable>(
    on loop: any EventLoop,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    // The only unstructured task of the broker's sessions. It is awaited right here, so it does not outlive its
    // caller.
    try await Task(executorPreference: LoopExecutor(loop), operation: work).value
}
