// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Ways back into an actor from callbacks of the event loop that is its executor. An actor passes itself, never another.
///
/// This is the one place that assumes an actor's isolation: the loop calls back on its own thread, outside of any job that
/// the runtime knows of. It traps where the loop is not the executor of the actor.
extension EventLoop {
    /// Runs `body` immediately, from a callback on this loop.
    package func reenter<Owner: Actor, Result: Sendable>(
        _ owner: Owner,
        _ body: (isolated Owner) throws -> Result
    ) rethrows -> Result {
        try owner.assumeIsolated(body)
    }

    /// Runs `body` on the loop's next turn.
    package func execute<Owner: Actor>(for owner: Owner, _ body: @escaping @Sendable (isolated Owner) -> Void) {
        execute { owner.assumeIsolated(body) }
    }

    /// Runs `body` at a time, unless the actor is gone by then.
    package func scheduleTask<Owner: Actor>(
        deadline: NIODeadline,
        for owner: Owner,
        _ body: @escaping @Sendable (isolated Owner) -> Void
    ) -> Scheduled<Void> {
        scheduleTask(deadline: deadline) { [weak owner] in owner?.assumeIsolated(body) }
    }

    /// As `scheduleTask(deadline:for:)`, after a time.
    package func scheduleTask<Owner: Actor>(
        in time: TimeAmount,
        for owner: Owner,
        _ body: @escaping @Sendable (isolated Owner) -> Void
    ) -> Scheduled<Void> {
        scheduleTask(in: time) { [weak owner] in owner?.assumeIsolated(body) }
    }
}
