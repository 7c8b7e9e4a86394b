// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform
import Varlink

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the daemon's state and problems."
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
                    ? "none that can receive announcements" : status.multicastInterfaces.joined(separator: ", "),
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
        let announcement =
            source.heardSecondsAgo.map { "last announcement \(PlainSpan(seconds: $0)) ago" } ?? "no announcement yet"
        return Printable("\(source.name) up for \(PlainSpan(seconds: source.upSeconds ?? 0)), \(announcement)")
    }
}

struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Show the daemon's log with journalctl.",
        discussion: """
            Works for a daemon that systemd has started. Uses of logins and adapters are recorded in the audit log: \
            'relctl audit list'.
            """,
        aliases: ["logs"]
    )

    private static let unit = "relativityd.service"

    @Flag(name: .shortAndLong, help: "Print new lines as they are written, until interrupted.")
    var follow = false
    @Option(name: [.customShort("n"), .long], help: "Number of lines from the end, 1 to 100000.")
    var lines: Int = 200
    @Option(help: "Only lines since then: an age such as 90s, 30m, 2h or 7d, or a date such as 2026-01-31T12:00.")
    var since: Moment?
    @OptionGroup var json: JSONOption

    func validate() throws {
        guard (1...100_000).contains(lines) else { throw ValidationError("--lines must be 1 to 100000") }
    }

    func run() throws {
        var arguments = ["journalctl", "--user", "--unit", Self.unit, "--no-pager", "--lines", "\(lines)"]
        if follow { arguments.append("--follow") }
        if let since { arguments += ["--since", "@\(since.seconds)"] }
        if json.isOn { arguments += ["--output", "json"] }
        throw Failure.becoming(arguments, "journalctl")
    }
}

struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the daemon's metrics for a monitoring system.",
        discussion: "In the text format of Prometheus, for example for the textfile collector of its node exporter."
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
        abstract: "Print the versions of relctl and of the running daemon, and the daemon's capabilities."
    )

    @OptionGroup var output: OutputOptions

    func run() throws {
        let daemon = Result { try Daemon(DaemonClient()) }
        let found = try? daemon.get()
        var object = (try? JSONValue(parsing: Relctl.contents.json))?.objectValue ?? [:]
        object["relctl"] = .string(ProjectVersion.text)
        object["relativityd"] = .some(found.map { .string($0.version) } ?? .null)
        object["capabilities"] = found.map { .array($0.capabilities.map { .string($0) }) }
        object["replaced"] = found.map { .bool($0.replaced != nil) }
        output.show(object, else: Self.text(found))
        _ = try daemon.get()
    }

    private struct Daemon {
        let version: String
        let capabilities: [String]
        /// The note of a daemon that is older than its program.
        let replaced: ManagerAPI.Note?

        init(_ client: DaemonClient) throws {
            version = try client.version()
            // An older daemon may not have this method.
            capabilities = (try? client.call(ManagerAPI.GetCapabilitiesCall()))?.capabilities ?? []
            let status = try? client.call(ManagerAPI.GetStatusCall()).status
            replaced = status?.notes.first { $0.code == .programReplaced }
        }
    }

    private static func text(_ daemon: Daemon?) -> String {
        let own = "relctl \(ProjectVersion.text)\n"
        guard let daemon else { return own }
        let lines = ["relativityd \(daemon.version)", "capabilities " + daemon.capabilities.joined(separator: ", ")]
        let note = daemon.replaced.map { "note: \($0.text)\n" } ?? ""
        return own + lines.map { Columns([$0]).text }.joined() + note
    }
}
