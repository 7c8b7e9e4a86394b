// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Platform
import Testing

@testable import Prompts

@Suite("Questions and attempts")
struct QuietSubjectsTests {
    @Test("a subject that was not answered is quiet for 30 seconds, and other subjects are not")
    func quiet() {
        var quiet = QuietSubjects(PromptLimits().quiet)
        let start = NIODeadline.now()
        quiet.unanswered("a", at: start)
        #expect(quiet.contains("a", at: start + .seconds(29)) && !quiet.contains("b", at: start))
        #expect(!quiet.contains("a", at: start + .seconds(30)))
        quiet.unanswered("a", at: start)
        quiet.answered("a")
        #expect(!quiet.contains("a", at: start))
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
