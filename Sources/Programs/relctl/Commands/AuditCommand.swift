// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show and verify the audit log: list, verify.",
        subcommands: [List.self, Verify.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Print the newest lines of the audit log."
        )

        @OptionGroup var output: OutputOptions
        @Option(name: [.customShort("n"), .long], help: "Maximum number of lines, 1 to 1000.")
        var count: Int64 = 100
        @Option(help: "Only lines since then: an age such as 90s, 30m, 2h or 7d, or a date such as 2026-01-31T08:00.")
        var since: Moment?

        func validate() throws {
            guard (1...1_000).contains(count) else { throw ValidationError("--count must be 1 to 1000") }
        }

        func run() throws {
            let call = AuditAPI.ListCall(count: count, since: since?.seconds)
            let heading = ["LINE", "TIME", "EVENT", "RESULT", "ENDPOINT", "LOGIN", "BY"]
            try output.list(call, "lines", heading, none: "no lines\n", within: .seconds(30)) { reply in
                reply.lines.map { Self.row($0) }
            }
        }

        private static func row(_ line: AuditAPI.Line) -> [String] {
            let caller = line.pid.map { pid in
                let claim = line.claimedBy.map { " (as claimed by \($0))" } ?? ""
                let client = line.client.map { " for '\($0)'" } ?? ""
                return "\(pid)\(claim)\(client)" + (line.cgroup.map { " \($0)" } ?? "")
            }
            return [
                "\(line.sequence)", Moment(seconds: line.time).text, line.event,
                line.times.map { "\(line.result) \(Style.ofOutput.times)\($0)" } ?? line.result,
                line.endpoint ?? "-", line.loginName ?? line.login.map { String($0.prefix(8)) } ?? "-", caller ?? "-",
            ]
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check that no line of the audit log was changed or removed.",
            discussion: "Requires an unlocked vault, which has the key. Exits with status 8 if verification fails."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let report = try DaemonClient().call(AuditAPI.VerifyCall(), within: DaemonClient.slow).report
            output.show(report.json, else: Self.facts(report).text)
            guard let fault = report.fault else { return }
            throw Failure(
                .damaged,
                "the audit log is not what was written: \(Printable(fault.file)) line \(fault.line): "
                    + fault.text
            )
        }

        private static func facts(_ report: AuditAPI.Report) -> Facts {
            let range = report.first.flatMap { first in report.last.map { ", \(first) to \($0)" } } ?? ""
            return Facts([
                "chain": report.fault == nil ? "intact" : "broken",
                "lines": "\(report.lines)\(range)",
                "under the key": "\(report.keyed)",
                "unproved": report.unproved == 0 ? nil : "\(report.unproved)",
                "lost events": report.lost == 0 ? nil : "\(report.lost)",
                "not locked after": report.unclean.isEmpty
                    ? nil : report.unclean.map { "\($0)" }.joined(separator: ", "),
            ])
        }
    }
}
