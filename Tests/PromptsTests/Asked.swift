// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOPosix
import Platform
import Prompts
import TestSupport

/// Asks through one prompter, off the test's own threads, and converts the answer to text.
struct Asked: Sendable {
    let prompter: any Prompter
    var limit = Duration.seconds(10)
    let stop: StopSignal

    init(_ prompter: any Prompter, within limit: Duration = .seconds(10)) throws {
        self.prompter = prompter
        self.limit = limit
        stop = try StopSignal()
    }

    func answer(_ kind: PromptQuestion.Kind = .secret, _ lines: [String] = ["server: here"]) async throws -> String {
        try await BlockingWork.run { [self] in
            let arena = try SecretArena()
            let question = PromptQuestion(
                kind,
                "Password",
                lines,
                remark: kind == .secret ? "the server refused it" : nil
            )
            let answer = try prompter.answer(question, in: arena, until: .now + limit, stop: stop)
            return answer.withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }
}
