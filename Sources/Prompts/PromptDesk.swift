// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Platform

/// Where questions to a person come together: one is shown at a time in the whole daemon.
package actor PromptDesk {
    package nonisolated let limits: PromptLimits
    private nonisolated let loop: any EventLoop
    private nonisolated let find: Finding
    private var line: PromptLine
    private(set) var waiters: [Int: EventLoopPromise<Void>] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Tells what to ask with now.
    package typealias Finding = @Sendable () throws(PromptError) -> any Prompter

    package init(limits: PromptLimits = PromptLimits(), loop: any EventLoop, _ find: @escaping Finding) {
        self.find = find
        self.limits = limits
        self.loop = loop
        line = PromptLine(limits)
    }

    /// Runs what may ask several questions, while nobody else asks any.
    ///
    /// - Throws: `PromptError.noWay` at once; `.busy`; `CancellationError`; what `body` throws.
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

    /// Puts one question.
    ///
    /// - Parameters:
    ///   - subject: what it is about. A person who does not answer is not asked about it again at once.
    ///   - limit: how long a person had in all, as errors say it.
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
            // One that has failed once is not started again and again.
            case .dismissed?, .failed?: line.unanswered(subject, at: .now())
            default: break
            }
            throw error
        }
    }

    /// A thread of its own for as long as a person takes: those of the pool have other things to do.
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

    // MARK: The line

    private func enter() async throws {
        switch line.arrive() {
        case .turn: return
        case .full: throw PromptError.busy
        case .wait(let number):
            let turn = loop.makePromise(of: Void.self)
            waiters[number] = turn
            let timer = loop.scheduleTask(in: TimeAmount(limits.patience)) { [weak self] in
                self?.assumeIsolated { $0.giveUp(number, PromptError.busy) }
            }
            defer { timer.cancel() }
            try await withTaskCancellationHandler {
                try await turn.futureResult.get()
            } onCancel: { [loop] in
                loop.execute { [weak self] in self?.assumeIsolated { $0.giveUp(number, CancellationError()) } }
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

/// Who is asked when: one question at a time, callers in line for it, and silence about what was not answered. Pure;
/// `PromptDesk` performs.
struct PromptLine {
    enum Arrival: Equatable {
        /// It is this caller's turn.
        case turn
        /// Later, under this number.
        case wait(Int)
        case full
    }

    private let limits: PromptLimits
    private var isTaken = false
    private var waiting: [Int] = []
    private var lastNumber = 0
    /// Until when nobody is asked about a subject.
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

    /// Somebody in line does not wait any longer.
    ///
    /// - Returns: false if it is his turn already.
    mutating func giveUp(_ number: Int) -> Bool {
        guard let index = waiting.firstIndex(of: number) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// A turn is over.
    ///
    /// - Returns: whose is next.
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

    /// A person did not answer.
    mutating func unanswered(_ subject: String, at now: NIODeadline) {
        quiet = quiet.filter { now < $0.value }
        quiet[subject] = now + TimeAmount(limits.quiet)
    }

    /// A person answered.
    mutating func answered(_ subject: String) {
        quiet[subject] = nil
    }
}
