// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Varlink

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the servers and then every change, until interrupted.",
        discussion: """
            Each line has its time, and a change what was and what is. With an endpoint only that one, which is then probed more often. Hidden servers are left out unless they are \
            named. With --json each line is one object: first a snapshot, then changes with the revision they led to; \
            nothing is left out.
            """
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Hidden servers too.")
    var all = false
    @Argument(
        help: "The id of an endpoint, or a name that only one has; without one, all.",
        completion: LiveNames.endpoints
    )
    var endpoint: String?

    func run() throws {
        var lines = WatchLines(showsHidden: all || endpoint != nil)
        let call = RegistryAPI.WatchCall(endpoint: endpoint)
        try DaemonClient().streamJSON(call, output: STDOUT_FILENO) { update in
            if output.isJSON {
                JSONOption.write(update)
            } else {
                Self.show(try RegistryAPI.WatchReply(json: update), &lines)
            }
            return .next
        }
    }

    private static func show(_ update: RegistryAPI.WatchReply, _ lines: inout WatchLines) {
        let endpoints = (update.endpoints ?? []) + [update.endpoint].compactMap { $0 }
        var text = ""
        for endpoint in endpoints { text += lines.line(update.kind.rawValue, endpoint, at: .now) ?? "" }
        Terminal.write(text)
    }
}
