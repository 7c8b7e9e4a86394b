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
    private var line: PromptLine
    private(set) var waiters: [Int: EventLoopPromise<Void>] = [:]

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
        line = PromptLine(limits)
    }

    /// Runs `body`, which may ask several questions, while no other caller can prompt.
    ///
    /// - Throws: `PromptError.noWay` immediately; `.busy`; `CancellationError`; errors of `body`.
    package nonisolated func withTurn<R>(_ body: (PromptTurn) async throws -> R) async throws -> R {
        _ = try find()
        try await enter()
        do {
            try Task.checkCancellation()
            let result = try await body(PromptTurn(desk: self, end: .now + limits.patience))
            await leave()
            return result
        } catch {
            await leave()
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
        guard !line.isQuiet(about: subject, at: .now()) else { throw PromptError.tooSoon(limits.quiet) }
        let prompter = try find()
        do {
            let answer = try await Self.ask(question, by: prompter, until: end)
            line.answered(subject)
            return answer
        } catch {
            switch error as? PromptError {
            case .stopped?: throw CancellationError()
            case .unanswered?:
                line.unanswered(subject, at: .now())
                throw PromptError.unanswered(limit)
            // A prompter that has failed is not restarted immediately.
            case .dismissed?, .failed?: line.unanswered(subject, at: .now())
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

    private func enter() async throws {
        switch line.arrive() {
        case .turn: return
        case .full: throw PromptError.busy
        case .wait(let number):
            let turn = loop.makePromise(of: Void.self)
            waiters[number] = turn
            let timer = loop.scheduleTask(in: TimeAmount(limits.patience), for: self) {
                $0.giveUp(number, PromptError.busy)
            }
            defer { timer.cancel() }
            try await withTaskCancellationHandler {
                try await turn.futureResult.get()
            } onCancel: {
                loop.execute(for: self) { $0.giveUp(number, CancellationError()) }
            }
        }
    }

    private func giveUp(_ number: Int, _ error: any Error) {
        if line.giveUp(number) { waiters.removeValue(forKey: number)?.fail(error) }
    }

    private func leave() {
        if let next = line.leave() { waiters.removeValue(forKey: next)?.succeed() }
    }
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

/// Decides when a prompt is shown: one at a time, with waiting callers in a FIFO queue, and not again for a while
/// after the user did not answer. Pure; `PromptDesk` performs the effects.
struct PromptLine {
    enum Arrival: Equatable {
        /// The caller may prompt now.
        case turn
        /// The caller waits under this number.
        case wait(Int)
        case full
    }

    private let limits: PromptLimits
    private var isTaken = false
    private var waiting: [Int] = []
    private var lastNumber = 0
    /// Subjects that the user did not answer, with the time until which there are no further questions about them.
    private var quiet: [String: NIODeadline] = [:]

    init(_ limits: PromptLimits) {
        self.limits = limits
    }

    mutating func arrive() -> Arrival {
        guard isTaken else {
            isTaken = true
            return .turn
        }
        guard waiting.count < limits.waiting else { return .full }
        lastNumber += 1
        waiting.append(lastNumber)
        return .wait(lastNumber)
    }

    /// Removes a caller from the queue.
    ///
    /// - Returns: false if it already has its turn.
    mutating func giveUp(_ number: Int) -> Bool {
        guard let index = waiting.firstIndex(of: number) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Ends the current turn.
    ///
    /// - Returns: the number of the caller that is next.
    mutating func leave() -> Int? {
        guard !waiting.isEmpty else {
            isTaken = false
            return nil
        }
        return waiting.removeFirst()
    }

    func isQuiet(about subject: String, at now: NIODeadline) -> Bool {
        quiet[subject].map { now < $0 } ?? false
    }

    /// Records that the user did not answer.
    mutating func unanswered(_ subject: String, at now: NIODeadline) {
        quiet = quiet.filter { now < $0.value }
        quiet[subject] = now + TimeAmount(limits.quiet)
    }

    /// Records that the user answered.
    mutating func answered(_ subject: String) {
        quiet[subject] = nil
    }
}
