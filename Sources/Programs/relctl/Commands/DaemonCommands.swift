// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what the daemon is doing, and what hinders it."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let object = try DaemonClient().json(ManagerAPI.GetStatusCall()).object("status")
        if output.isJSON { return JSONOption.write(object) }
        let status = try ManagerAPI.Status(json: object)
        Terminal.write(
            Facts([
                "daemon":
                    "relativityd \(status.version), pid \(status.pid), up \(PlainSpan(seconds: status.uptimeSeconds))",
                "interfaces": status.multicastInterfaces.isEmpty
                    ? "none that can hear announcements" : status.multicastInterfaces.joined(separator: ", "),
                "endpoints": "\(status.endpoints)",
                "limits": LimitsMet(status).text,
                "vault": StateWord(status.vault.rawValue),
                "logins": status.logins.map { "\($0)" },
                "sessions": "\(status.sessions)",
                "adapters": "\(status.adapters)",
            ]).adding("discovery", status.sources.map(Self.text)).text
        )
        for note in status.notes { Terminal.write("note: \(note.text)\n") }
    }

    private static func text(_ source: ManagerAPI.Source) -> Printable {
        guard source.state == .up else {
            return Printable(again: "\(Printable(source.name)) down: \(source.reason)")
        }
        let heard =
            source.heardSecondsAgo.map { "heard a server \(PlainSpan(seconds: $0)) ago" } ?? "heard no server yet"
        return Printable("\(source.name) up for \(PlainSpan(seconds: source.upSeconds ?? 0)), \(heard)")
    }
}

struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Show what the daemon has logged, through journalctl.",
        discussion: """
            For a daemon that systemd has started. What was decided about logins and adapters is in the audit log: \
            'relctl audit list'.
            """,
        aliases: ["logs"]
    )

    private static let unit = "relativityd.service"

    @Flag(name: .shortAndLong, help: "Print new lines as they come, until interrupted.")
    var follow = false
    @Option(name: [.customShort("n"), .long], help: "How many of the last lines, 1 to 100000.")
    var lines: Int = 200
    @Option(help: "Only what came since: 90s, 30m, 2h, 7d ago, or a date as 2026-01-31 or 2026-01-31T12:00.")
    var since: Moment?
    @OptionGroup var json: JSONOption

    func validate() throws {
        guard (1...100_000).contains(lines) else { throw ValidationError("--lines is 1 to 100000") }
    }

    func run() throws {
        var arguments = ["journalctl", "--user", "--unit", Self.unit, "--no-pager", "--lines", "\(lines)"]
        if follow { arguments.append("--follow") }
        if let since { arguments += ["--since", "@\(since.seconds)"] }
        if json.isOn { arguments += ["--output", "json"] }
        let words = arguments.map { strdup($0) } + [nil]
        // Replaces this process, so that the exit status and signals are those of journalctl.
        signal(SIGPIPE, SIG_DFL)
        execvp(arguments[0], words)
        throw Failure(
            .failed,
            "journalctl, a part of systemd, was not started: \(String(cString: strerror(errno)))"
        )
    }
}

struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the daemon's figures for a monitoring system.",
        discussion: "In the text format of Prometheus, as for the textfile collector of its node exporter."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let reply = try DaemonClient().call(ManagerAPI.GetMetricsCall())
        output.show(reply.json, else: PrintableText(reply.metrics).text)
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of this program and of the daemon that runs, and what it can do."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let daemon = Result {
            let client = try DaemonClient()
            let version = try client.version()
            // An older daemon may not have this method.
            let reply = try? client.call(ManagerAPI.GetCapabilitiesCall())
            return (version: version, capabilities: reply?.capabilities ?? [])
        }
        let found = try? daemon.get()
        var object: JSONObject = ["relctl": .string(ProjectVersion.text)]
        object["relativityd"] = .some(found.map { .string($0.version) } ?? .null)
        object["capabilities"] = found.map { .array($0.capabilities.map { .string($0) }) }
        output.show(object, else: Self.text(found))
        _ = try daemon.get()
    }

    private static func text(_ daemon: (version: String, capabilities: [String])?) -> String {
        let own = "relctl \(ProjectVersion.text)\n"
        guard let daemon else { return own }
        let lines = ["relativityd \(daemon.version)", "capabilities " + daemon.capabilities.joined(separator: ", ")]
        return own + lines.map { Columns([$0]).text }.joined()
    }
}
