// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite(
    "The screens of relctl table browse",
    .timeLimit(.minutes(10)),
    .enabled(if: Requirement.allMet([.program("tmux")], for: "relctl table browse"), "needs tmux")
)
struct BrowseScreenTests {
    /// A start of the program, or keys, with the screen after it.
    private struct Step {
        /// The line of the file.
        let line: String
        var screen: [String] = []

        var words: [String] { line.dropFirst(2).split(separator: " ").map { String($0) } }
    }

    /// Plays many screens in one session, so it takes some seconds.
    @Test("each screen is as in Tests/Screens/browse.txt")
    func screens() async throws {
        let deployment = Deployment()
        try await deployment.startShop()
        let terminal = try await TmuxSession(deployment)
        let usual = try await terminal.settings()
        let recorded = getenv("RELATIVITYD_RECORD").map { String(cString: $0) }
        var actual = ""
        for step in Self.steps() {
            actual += step.line + "\n"
            if step.line.hasPrefix("$") {
                try await leave(terminal, usual)
                let size = (step.words.first ?? "").split(separator: "x").compactMap { Int($0) }
                try await terminal.resize(columns: size[0], lines: size[1])
                try await terminal.enter("clear; cd; " + step.line.drop { $0 != "r" })
                try await eventually { try await !terminal.settings().hasEcho }
                continue
            }
            if !step.words.isEmpty { try await terminal.keys(step.words) }
            if recorded == nil {
                try? await eventually { try await terminal.screen() == step.screen }
            } else {
                // A recording does not know the screen that follows. A test compares, and waits for it.
                usleep(1_500_000)
            }
            let screen = try await terminal.screen()
            actual += screen.map { "|\($0)\n" }.joined()
            guard recorded == nil else { continue }
            try #require(screen == step.screen, "after '\(step.line)':\n\(screen.joined(separator: "\n"))")
        }
        try await leave(terminal, usual)
        let written = TextFile.text(of: deployment.home.path(of: "out.csv")).split(separator: "\r\n")
        #expect(written.first == "OrderId,OrderDate,OrderStatus,Client" && written.count == 4)
        if let recorded { _ = TextFile.write(actual, to: recorded) }
    }

    /// Ends the program, which may ask whether to drop changes.
    private func leave(_ terminal: TmuxSession, _ usual: TerminalSettings) async throws {
        try await eventually {
            guard try await terminal.settings() != usual else { return true }
            try await terminal.keys("C-c")
            return false
        }
    }

    private static func steps() -> [Step] {
        var steps: [Step] = []
        let text = TextFile.text(of: Sources.root + "/Tests/Screens/browse.txt")
        for line in text.split(separator: "\n") {
            if line.hasPrefix("$") || line.hasPrefix("%") { steps.append(Step(line: String(line))) }
            if line.hasPrefix("|") { steps[steps.count - 1].screen.append(String(line.dropFirst())) }
        }
        return steps
    }
}
