// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Platform
import Testing

@testable import Prompts

@Suite("The queue of prompts")
struct PromptLineTests {
    @Test("one caller prompts, others wait in FIFO order, and callers beyond the limit are rejected")
    func order() {
        var limits = PromptLimits()
        limits.waiting = 2
        var line = PromptLine(limits)
        let arrivals = (0..<4).map { _ in line.arrive() }
        #expect(arrivals == [.turn, .wait(1), .wait(2), .full])
        let next = (0..<3).map { _ in line.leave() }
        #expect(next == [1, 2, nil])
        let free = line.arrive()
        #expect(free == .turn)
    }

    @Test("a caller that gives up is skipped, and a caller that has its turn cannot give up")
    func givingUp() {
        var line = PromptLine(PromptLimits())
        _ = (0..<3).map { _ in line.arrive() }
        let first = line.giveUp(1)
        let next = line.leave()
        let second = line.giveUp(2)
        #expect(first && next == 2 && !second)
    }

    @Test("a subject that was not answered is quiet for 30 seconds, and other subjects are not")
    func quiet() {
        var line = PromptLine(PromptLimits())
        let start = NIODeadline.now()
        line.unanswered("a", at: start)
        #expect(line.isQuiet(about: "a", at: start + .seconds(29)) && !line.isQuiet(about: "b", at: start))
        #expect(!line.isQuiet(about: "a", at: start + .seconds(30)))
        line.unanswered("a", at: start)
        line.answered("a")
        #expect(!line.isQuiet(about: "a", at: start))
    }

    @Test("there are three attempts, and a rejected answer is recognised")
    func tries() throws {
        let arena = try SecretArena()
        let answers = try ["one", "two", "one", "two"].map { text in
            SharedSecret(try Secret(copying: Array(text.utf8), in: arena))
        }
        var tries = Tries()
        let first = tries.failed(answers[0], because: "no")
        #expect(first == "no; 2 tries left")
        let known = (tries.wasRefused(answers[2]), tries.wasRefused(answers[1]))
        #expect(known == (true, false))
        let second = tries.failed(answers[1], because: "no")
        let third = tries.failed(answers[1], because: "no")
        #expect(second == "no; 1 try left" && third == nil)
    }
}
