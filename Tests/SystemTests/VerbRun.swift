// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Runs verbs against their own stand-in.
struct VerbRun {
    let use: VerbUse
    private let home = TemporaryDirectory()
    private let daemon: StandIn

    init(_ use: VerbUse, elements: Int = 1, _ texts: any TextSource = PlainTexts()) throws {
        self.use = use
        home.write([0, 0, 0], to: "file")
        mkdir(home.path(of: "copies"), 0o700)
        daemon = try StandIn(
            at: home.path(of: "socket"),
            StandInReplies(to: use, elements: elements, texts)
        )
    }

    /// Ends the stand-in.
    func end() { daemon.end() }

    /// - Returns: the output of relctl, and the texts in the replies of the stand-in.
    func callAsFunction(_ options: [String] = []) async throws -> (output: Command.Output, told: [ServedText]) {
        unlink(home.path(of: "new"))
        let words = (use.words + options).map { word in
            switch word {
            case "<file>": home.path(of: "file")
            case "<new>": home.path(of: "new")
            case "<directory>": home.path(of: "copies")
            default: word
            }
        }
        let command = Command(
            [Products.path(of: "relctl")] + words,
            environment: [
                "HOME": home.path, "XDG_STATE_HOME": home.path(of: "state"), "RELATIVITYD_LOGIN": "",
                "RELATIVITYD_SOCKET": home.path(of: "socket"), "LC_ALL": "C.UTF-8",
            ]
        )
        let output = try await command.run(input: use.input)
        return (output, daemon.takeTold())
    }
}
