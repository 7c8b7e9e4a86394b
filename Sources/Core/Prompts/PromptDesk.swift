// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Platform

/// Serialises all prompts of the daemon: one is shown at a time.
package actor PromptDesk {
    /// The limits for questions and answers.
    package nonisolated let limits: PromptLimits
    private nonisolated let loop: any EventLoop
    private nonisolated let find: Finding
    private let turns: Turnstile<String>
    private var quiet: QuietSubjects

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Returns the prompter to use now.
    package typealias Finding = @Sendable () throws(PromptError) -> any Prompter

    /// - Parameter find: selects the prompter for each question.
    package init(limits: PromptLimits = PromptLimits(), loop: any EventLoop, _ find: @escaping Finding) {
        self.find = find
        self.limits = limits
        self.loop = loop
        turns = Turnstile(on: loop)
        quiet = QuietSubjects(limits.quiet)
    }

    /// The number of callers that wait for their turn.
    var waitingCount: Int { turns.waitingCount }

    /// Runs `body`, which may ask several questions, while no other caller can prompt.
    ///
    /// - Throws: `PromptError.noWay` immediately; `.busy`; `CancellationError`; errors of `body`.
    package nonisolated func withTurn<R>(_ body: (PromptTurn) async throws -> R) async throws -> R {
        _ = try find()
        let ticket = try await enter()
        do {
            try Task.checkCancellation()
            let result = try await body(PromptTurn(desk: self, end: .now + limits.patience))
            await leave(ticket)
            return result
        } catch {
            await leave(ticket)
            throw error
        }
    }

    /// Asks one question.
    ///
    /// - Parameters:
    ///   - subject: the subject of the question. If the user does not answer, no question about the same subject is
    ///     shown for a while.
    ///   - limit: the time that the user had in total, for error messages.
    func ask(
        _ question: PromptQuestion,
        about subject: String,
        until end: ContinuousClock.Instant,
        limit: Duration
    ) async throws -> SharedSecret {
        guard !quiet.contains(subject, at: .now()) else { throw PromptError.tooSoon(limits.quiet) }
        let prompter = try find()
        do {
            let answer = try await Self.ask(question, by: prompter, until: end)
            quiet.answered(subject)
            return answer
        } catch {
            switch error as? PromptError {
            case .stopped?: throw CancellationError()
            case .unanswered?:
                quiet.unanswered(subject, at: .now())
                throw prompter is PasswordAgents ? PromptError.unansweredByAgents(limit) : .unanswered(limit)
            // A prompter that has failed is not restarted immediately.
            case .dismissed?, .failed?: quiet.unanswered(subject, at: .now())
            default: break
            }
            throw error
        }
    }

    /// Runs on a thread of its own until the user answers, so that no thread of the shared pool is blocked.
    private static func ask(
        _ question: PromptQuestion,
        by prompter: any Prompter,
        until end: ContinuousClock.Instant
    ) async throws -> SharedSecret {
        let arena = try SecretArena(byteCount: 4 * PromptLimits.answerBytes)
        let stop = try StopSignal()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let status = BackgroundThread.start {
                    continuation.resume(
                        with: Result {
                            SharedSecret(try prompter.answer(question, in: arena, until: end, stop: stop))
                        }
                    )
                }
                if status != 0 {
                    continuation.resume(throwing: PromptError.failed(reason: "there is no thread for it"))
                }
            }
        } onCancel: {
            stop.give()
        }
    }

    // MARK: The queue

    private func enter() async throws -> Turnstile<String>.Ticket {
        let ticket = turns.enter("prompts")
        guard turns.waitingCount <= limits.waiting else {
            turns.withdraw(ticket, PromptError.busy)
            throw PromptError.busy
        }
        let timer = loop.scheduleTask(in: TimeAmount(limits.patience)) { [turns] in
            turns.withdraw(ticket, PromptError.busy)
        }
        defer { timer.cancel() }
        try await turns.wait(ticket)
        return ticket
    }

    private func leave(_ ticket: Turnstile<String>.Ticket) { turns.leave(ticket) }
}

/// The right to prompt, until `PromptDesk.withTurn` returns or the time is over.
package struct PromptTurn: Sendable {
    let desk: PromptDesk
    let end: ContinuousClock.Instant

    /// Asks a question and waits for the answer until the turn ends. Cancelling the task withdraws the question.
    ///
    /// - Parameters:
    ///   - subject: the subject of the question. If the user does not answer, no caller's question about the same
    ///     subject is shown for a while.
    ///   - limit: a limit for this question that is shorter than the turn.
    /// - Returns: the typed text; empty for an approval, which is given by returning.
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

/// The subjects of questions that the user did not answer, about which there are no further questions for a while.
struct QuietSubjects {
    private let time: TimeAmount
    /// The ends of the times, by subject.
    private var ends: [String: NIODeadline] = [:]

    init(_ time: Duration) {
        self.time = TimeAmount(time)
    }

    func contains(_ subject: String, at now: NIODeadline) -> Bool {
        ends[subject].map { now < $0 } ?? false
    }

    /// Records that the user did not answer.
    mutating func unanswered(_ subject: String, at now: NIODeadline) {
        ends = ends.filter { now < $0.value }
        ends[subject] = now + time
    }

    /// Records that the user answered.
    mutating func answered(_ subject: String) {
        ends[subject] = nil
    }
}
