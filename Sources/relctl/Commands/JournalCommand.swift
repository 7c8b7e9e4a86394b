// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

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
        // In its place, so that its exit status and the signals for it need no care.
        signal(SIGPIPE, SIG_DFL)
        execvp(arguments[0], words)
        throw Failure(
            .failed,
            "journalctl, a part of systemd, was not started: \(String(cString: strerror(errno)))"
        )
    }
}
