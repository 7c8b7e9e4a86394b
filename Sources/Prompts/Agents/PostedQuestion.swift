// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A question that agents see for as long as this value is there, and the socket for their answer.
struct PostedQuestion: ~Copyable {
    private let socket: AgentSocket
    private let file: AgentFile

    init(
        _ question: PromptQuestion,
        in directory: String,
        until end: ContinuousClock.Instant
    ) throws(PromptError) {
        do {
            let suffix = HexText.encode(try SystemRandom().bytes(8))
            let socket = try AgentSocket(in: directory, suffix: suffix)
            let asked = AgentQuestion(
                question: question,
                pid: getpid(),
                socket: socket.path,
                notAfter: Self.monotonic(at: end)
            )
            self.file = try AgentFile(asked.text, in: directory, suffix: suffix)
            self.socket = socket
        } catch {
            throw .noWay(reason: "\(error)")
        }
    }

    func answer(
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> AgentSocket.Answer {
        try socket.answer(in: arena, until: end, stop: stop)
    }

    /// In microseconds of the clock that agents read.
    private static func monotonic(at end: ContinuousClock.Instant) -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let left = (end - .now).components
        return (Int64(now.tv_sec) + left.seconds) * 1_000_000
            + Int64(now.tv_nsec) / 1_000 + left.attoseconds / 1_000_000_000_000
    }
}
