// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
import Locks
import NIOCore
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Prompts

/// Answers when the test allows it, and counts simultaneous questions.
private final class HeldPrompter: Prompter {
    private struct State {
        var open = 0
        var most = 0
        var asked = 0
    }

    private let state = Lock(State())
    private let released: StopSignal

    init() throws { released = try StopSignal() }

    var asked: Int { state.withLock { $0.asked } }
    var mostAtATime: Int { state.withLock { $0.most } }

    func release() { released.give() }

    func answer(
        _ question: PromptQuestion,
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Secret {
        state.withLock {
            $0.open += 1
            $0.asked += 1
            $0.most = max($0.most, $0.open)
        }
        defer { state.withLock { $0.open -= 1 } }
        switch StopSignal.wait(for: Int32(POLLIN), of: released.descriptor, or: stop, until: end) {
        case .ready: break
        case .stopped: throw .stopped
        case .late: throw .unanswered(.zero)
        }
        do {
            return try Secret(copying: Array("yes".utf8), in: arena)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}

@Suite("The coordination of prompts", .timeLimit(.minutes(1)))
struct PromptDeskTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let prompter: HeldPrompter

    init() throws { prompter = try HeldPrompter() }

    private func desk(_ change: (inout PromptLimits) -> Void = { _ in }) -> PromptDesk {
        var limits = PromptLimits()
        change(&limits)
        return PromptDesk(limits: limits, loop: loop) { [prompter] in prompter }
    }

    private func task(_ desk: PromptDesk, about subject: String = "x") -> Task<Int, any Error> {
        Task(executorPreference: LoopExecutor(loop)) {
            try await desk.withTurn { turn in
                try await turn.ask(PromptQuestion(.secret, "Password", []), about: subject).secret.count
            }
        }
    }

    @Test("one question is shown at a time, some callers wait, and callers beyond the limit fail immediately")
    func line() async throws {
        let desk = desk { $0.waiting = 3 }
        let first = task(desk)
        try await eventually { prompter.asked == 1 }
        let others = (0..<3).map { _ in task(desk) }
        try await eventually { await desk.waitingCount == 3 }
        await #expect(throws: PromptError.busy) { try await desk.withTurn { _ in } }
        // A caller that leaves frees a place in the queue.
        others[0].cancel()
        await #expect(throws: CancellationError.self) { try await others[0].value }
        try await eventually { await desk.waitingCount == 2 }
        let late = task(desk)
        try await eventually { await desk.waitingCount == 3 }
        prompter.release()
        for task in [first, others[1], others[2], late] { #expect(try await task.value == 3) }
        #expect(prompter.mostAtATime == 1 && prompter.asked == 4)
    }

    @Test("a cancelled caller withdraws its question, and the next caller has its turn")
    func cancelling() async throws {
        let desk = desk()
        let first = task(desk)
        let second = task(desk)
        try await eventually { prompter.asked == 1 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await eventually { prompter.asked == 2 }
        prompter.release()
        #expect(try await second.value == 3)
    }

    @Test("a question that is not answered times out, and is not repeated immediately")
    func silence() async throws {
        let desk = desk { $0.patience = .milliseconds(50) }
        await #expect(throws: PromptError.unanswered(.milliseconds(50))) { try await task(desk).value }
        await #expect(throws: PromptError.tooSoon(.seconds(30))) { try await task(desk).value }
        #expect(prompter.asked == 1)
        prompter.release()
        #expect(try await task(desk, about: "y").value == 3)
    }

    @Test("a prompt that no agent answers says so")
    func agents() async throws {
        let directory = TemporaryDirectory()
        let agents = PasswordAgents(directory: directory.path)
        var limits = PromptLimits()
        limits.patience = .milliseconds(50)
        let desk = PromptDesk(limits: limits, loop: loop) { agents }
        await #expect(throws: PromptError.unansweredByAgents(.milliseconds(50))) { try await task(desk).value }
    }

    @Test("a caller waits for its turn only until the timeout")
    func patience() async throws {
        let slow = desk { $0.patience = .milliseconds(100) }
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let busy = Task(executorPreference: LoopExecutor(loop)) {
            try await slow.withTurn { _ in
                starting.finish()
                // Keeps its turn until it is cancelled.
                try await loop.sleep(for: .seconds(60))
            }
        }
        for await _ in started {}
        await #expect(throws: PromptError.busy) { try await slow.withTurn { _ in } }
        busy.cancel()
        await #expect(throws: CancellationError.self) { try await busy.value }
    }

    @Test("without a prompter, withTurn fails immediately")
    func noWay() async throws {
        let desk = PromptDesk(loop: loop) { () throws(PromptError) in throw .noWay(reason: "none") }
        await #expect(throws: PromptError.noWay(reason: "none")) { try await desk.withTurn { _ in } }
    }
}
