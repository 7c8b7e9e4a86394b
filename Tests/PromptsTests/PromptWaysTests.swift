// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import Prompts

@Suite("The selection of a prompter")
struct PromptWaysTests {
    private let directory = TemporaryDirectory()

    init() {
        for name in ["bin", "run", "run/systemd", "run/systemd/ask-password"] { mkdir(directory.path(of: name), 0o700) }
        directory.write(Array("#!/bin/sh\n".utf8), to: "bin/pinentry", mode: 0o700)
    }

    /// Returns the path of the pinentry, `agents`, or the error.
    private func way(_ choice: PromptWays.Choice, _ environment: [String: String], pinentry: String? = nil) -> String {
        let ways = PromptWays(
            choice,
            pinentry: pinentry,
            environment: Environment(environment),
            systemDirectory: "/nonexistent"
        )
        do {
            switch try ways.prompter() {
            case let found as Pinentry: return found.program
            case is PasswordAgents: return "agents"
            default: return "?"
            }
        } catch {
            return "\(error)"
        }
    }

    @Test("automatic selects a pinentry that is configured or has a display, else agents, else none")
    func automatic() {
        let (path, run) = ("bin:\(directory.path(of: "bin"))", directory.path(of: "run"))
        let found = directory.path(of: "bin/pinentry")
        for place in ["DISPLAY", "WAYLAND_DISPLAY", "GPG_TTY"] {
            #expect(way(.automatic, ["PATH": path, place: "x", "XDG_RUNTIME_DIR": run]) == found, "\(place)")
        }
        #expect(way(.automatic, ["XDG_RUNTIME_DIR": run], pinentry: "/other") == "/other")
        #expect(way(.automatic, ["PATH": path, "XDG_RUNTIME_DIR": run]) == "agents")
        #expect(way(.automatic, ["DISPLAY": "x", "XDG_RUNTIME_DIR": run]) == "agents")
        let none = "no prompt is possible: no password agent is watching, and no pinentry has a display"
        #expect(way(.automatic, ["PATH": path]) == none)
    }

    @Test("an explicit choice selects that prompter and no other")
    func chosen() {
        let all = ["PATH": directory.path(of: "bin"), "XDG_RUNTIME_DIR": directory.path(of: "run"), "DISPLAY": "x"]
        #expect(way(.agents, all) == "agents")
        #expect(way(.pinentry, all) == directory.path(of: "bin/pinentry"))
        #expect(way(.nothing, all) == "no prompt is possible: prompts are turned off in relativityd.toml")
        #expect(way(.agents, [:]) == "no prompt is possible: no password agent is watching")
        #expect(way(.pinentry, ["PATH": "bin"]) == "no prompt is possible: there is no pinentry")
    }
}
