// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore

/// Runs to its end what belongs to a session and not to the caller who happened to cause it.
///
/// A tool that hangs up must not break off a login that others wait for, and a lease that ends because its holder has
/// gone must still be logged out; both would run in a task that is cancelled. What runs here bounds its own time.
func shielded<Result: Sendable>(
    on loop: any EventLoop,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    // The one task of its own in the broker's sessions; it is awaited right here, so it outlives nobody.
    try await Task(executorPreference: LoopExecutor(loop), operation: work).value
}
