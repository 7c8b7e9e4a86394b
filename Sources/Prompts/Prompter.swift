// SPDX-License-Identifier: Apache-2.0

package import Platform

/// One way to put a question to a person.
package protocol Prompter: Sendable {
    /// Blocks until there is an answer.
    ///
    /// - Parameters:
    ///   - arena: for the answer, of `PromptLimits.answerBytes` at most, and for what it is made of.
    ///   - end: when the question is over.
    ///   - stop: takes the question back.
    /// - Returns: what was typed; nothing for an agreement, which is given by returning.
    /// - Throws: `PromptError.dismissed`, `.unanswered`, `.failed`, `.stopped`.
    func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret
}

/// What bounds questions and answers.
package struct PromptLimits: Sendable {
    /// Of one answer, as of a password that comes over the local API from a terminal.
    package static let answerBytes = 4_096

    /// Callers that wait for their turn besides the one that is asked for.
    package var waiting = 8
    /// How long a caller's questions may take in all, and how long it waits for its turn.
    package var patience = Duration.seconds(90)
    /// For how long nobody is asked again what he has not answered.
    package var quiet = Duration.seconds(30)

    /// How long a person has for a yes or no to what is asked each time.
    package var confirmation = Duration.seconds(30)

    package init() {}
}
