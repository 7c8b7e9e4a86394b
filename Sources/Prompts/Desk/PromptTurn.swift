// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The right to ask, until it ends with `PromptDesk.withTurn` or with its time.
package struct PromptTurn: Sendable {
    let desk: PromptDesk
    let end: ContinuousClock.Instant

    /// Asks, and waits for the answer as long as the turn goes on. Takes the question back when the task is cancelled.
    ///
    /// - Parameters:
    ///   - subject: what it is about. A person who does not answer is not asked about it again at once, whoever wants to
    ///     know.
    ///   - limit: ends this question before the turn does.
    /// - Returns: what was typed; nothing for an agreement, which is given by returning.
    /// - Throws: `PromptError`, `CancellationError`.
    package func ask(
        _ question: PromptQuestion,
        about subject: String,
        within limit: Duration? = nil
    ) async throws -> SharedSecret {
        let last = limit.map { min(end, .now + $0) } ?? end
        return try await desk.ask(question, about: subject, until: last, limit: limit ?? desk.limits.patience)
    }
}
