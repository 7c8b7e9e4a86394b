// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and check the configuration of the daemon: show, check.",
        subcommands: [Show.self, Check.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the configuration that the daemon uses.",
            discussion: "relativityd.toml(5) describes the keys. The path of an adapter and other secrets are hidden."
        )

        @OptionGroup var output: OutputOptions
        @Flag(help: "Print also the file and line, the variable or the option that sets each key.")
        var origin = false

        func run() throws {
            let object = try DaemonClient().json(ManagerAPI.GetConfigurationCall())
            if output.isJSON { return JSONOption.write(object) }
            let reply = try ManagerAPI.GetConfigurationReply(json: object)
            let heading = ["KEY", "VALUE"] + (origin ? ["ORIGIN"] : [])
            let rows = reply.settings.map { [$0.key, $0.shownValue] + (origin ? [$0.origin] : []) }
            Terminal.write(Table(heading, rows).text)
            guard reply.outdated else { return }
            output.note(
                "relctl: note: files of the configuration changed after the start: "
                    + "systemctl --user restart relativityd\n"
            )
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the files of the configuration and of servers, with 'relativityd --check'.",
            discussion: "Works without a daemon. The exit status is 78 if the daemon would not start."
        )

        func run() throws {
            let program = HelperProgram.path(beside: "relativityd")
            throw Failure.becoming([program, "--check"], ShellWord.quote(program))
        }
    }
}

extension ManagerAPI.Setting {
    fileprivate var shownValue: String { value ?? (layer == .builtIn ? "-" : "(hidden)") }

    fileprivate var origin: String {
        switch layer {
        case .builtIn: "default"
        case .environment: variable ?? layer.rawValue
        case .option: "--set"
        case .vendor, .administrator, .user, .named:
            (file ?? layer.rawValue) + (line.map { ":\($0)" } ?? "")
        }
    }
}
