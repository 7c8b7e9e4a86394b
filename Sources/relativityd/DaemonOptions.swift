// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import LocalAPI
public import Logging

/// The command line of the daemon.
struct DaemonOptions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relativityd",
        abstract: "Find Relativity servers and hand out logged-in connections to them, for all programs of one user.",
        discussion: "Runs in the foreground, as a systemd user service or by hand. relctl talks to it.",
        version: "relativityd \(ProjectVersion.text)"
    )

    @Option(help: "The configuration file, instead of the usual places.")
    var config: String?
    @Option(help: "Which messages to log: trace, debug, info, notice, warning or error.")
    var logLevel: Logger.Level = .notice
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
