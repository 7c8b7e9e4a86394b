// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

/// The command tree: noun, verb; and short forms for what is typed all day.
struct Relctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relctl",
        abstract: "Find Relativity servers, keep their logins, and hand out connections to them.",
        discussion: "Talks to relativityd, the daemon of this user session. 'relctl help VERB' tells more.",
        version: "relctl \(ProjectVersion.text)",
        groupedSubcommands: [
            CommandGroup(
                name: "Short forms",
                subcommands: [
                    ConnectCommand.self, ListCommand.self, ShowCommand.self, WatchCommand.self, TopCommand.self,
                    EndpointWaitCommand.self,
                    AddCommand.self, EndpointRenameCommand.self, EndpointCommand.Remove.self, EndpointHideCommand.self,
                    EndpointUnhideCommand.self,
                ]
            ),
            CommandGroup(
                name: "Nouns",
                subcommands: [
                    EndpointCommand.self, VaultCommand.self, LoginCommand.self, AdapterCommand.self, GrantCommand.self,
                    DefaultCommand.self,
                ]
            ),
            CommandGroup(name: "For tool authors", subcommands: [WireCommand.self, SandboxCommand.self]),
            CommandGroup(
                name: "The daemon",
                subcommands: [
                    StatusCommand.self, DoctorCommand.self, JournalCommand.self, AuditCommand.self, MetricsCommand.self,
                    VersionCommand.self,
                ]
            ),
        ]
    )
}
