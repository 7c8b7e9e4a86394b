// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show the servers, adapters and events on the whole terminal, and act on them by keys.",
        discussion: """
            Keys probe the chosen server, pin it, log in, open an adapter and hide it; ? tells them all, and q ends it. \
            Programs and other places than a terminal have 'relctl watch'.
            """
    )

    func run() throws {
        guard let terminal = TopTerminal(hasColours: Style.ofOutput.isColoured) else {
            throw Failure(
                .usage,
                "standard input and output are no terminal that a screen can be shown on",
                hint: "relctl watch"
            )
        }
        try TopLoop(terminal).run()
    }
}
