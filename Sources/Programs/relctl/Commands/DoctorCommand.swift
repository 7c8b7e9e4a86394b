// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose missing servers and failing logins.",
        discussion: """
            Without a server, checks this machine; with a server, the path to a login on it. Works without a running \
            daemon. Changes nothing and sends no password, unless --try is given. Exits with status 1 if there is a \
            fault.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String?
    @Option(help: "Name of the failing login.", completion: LiveNames.logins)
    var login: String?
    @Flag(name: .customLong("try"), help: "Log in and out once, even if the server has refused the login before.")
    var isTried = false
    @Option(help: "Write a report without names, addresses and secrets to this new file.", completion: .file())
    var bundle: String?

    func validate() throws {
        if isTried, endpoint == nil, login == nil {
            throw ValidationError("--try requires a server or --login")
        }
    }

    func run() throws {
        var facts = DoctorFacts.gathered(.ofProcess())
        // Without a daemon the login path is unknown. A finding already reports that the daemon does not run.
        if facts.status != nil, endpoint != nil || login != nil {
            let client = try output.client("checking the path to the server")
            do {
                facts.way = try .gathered(to: endpoint, login: login, isTried: isTried, facts, client)
            } catch is Way.LoginLockedUp {
                facts.isLoginLockedUp = true
            }
        }
        let diagnosis = Diagnosis(facts)
        if let bundle {
            try DoctorBundle(facts, diagnosis).write(to: bundle)
            output.note("relctl: report without names:  \(ShellWord.quote(bundle)); read it before you send it\n")
        }
        output.show(
            [
                "healthy": .bool(diagnosis.isHealthy),
                "findings": .array(diagnosis.findings.map(\.json)),
            ],
            else: diagnosis.findings.map(Self.text).joined()
        )
        guard !diagnosis.isHealthy else { return }
        let count = diagnosis.findings.count { $0.verdict == .fault }
        let hasRemedy = diagnosis.findings.contains { $0.verdict == .fault && $0.remedy != nil }
        throw Failure(
            .failed,
            "\(Counted(count, "fault")) found" + (hasRemedy ? ": see the lines 'run:' and 'advice:'" : "")
        )
    }

    private static func text(_ finding: Finding) -> String {
        // Untrusted text was made printable when the finding was created.
        let line: [any Fact] = [StateWord(finding.verdict.rawValue), finding.check, Printable(again: finding.finding)]
        var text = Columns(line).text
        if let evidence = finding.evidence { text += "    evidence: \(Printable(again: evidence))\n" }
        switch finding.remedy {
        case .command(let command): text += "    run:      \(Printable(again: command))\n"
        case .advice(let advice): text += "    advice:   \(Printable(again: advice))\n"
        case nil: break
        }
        return text
    }
}

/// The report of `relctl doctor --bundle`: the facts and findings, without names of users, machines and servers.
struct DoctorBundle {
    private static let auditLines: Int64 = 200

    let text: String

    init(_ facts: DoctorFacts, _ diagnosis: Diagnosis) {
        var redaction = Redaction(facts)
        var report: JSONObject = [
            "relctl": .string(ProjectVersion.text),
            "system": Self.system,
            "findings": redaction.redacted(.array(diagnosis.findings.map(\.forOthers.json))),
            "status": redaction.redacted(facts.status.map { .object($0.json) } ?? .null),
            "vault": redaction.redacted(facts.vault.map { .object($0.json) } ?? .null),
            "interfaces": redaction.redacted(.array(facts.interfaces.map(\.json))),
            "endpoints": redaction.redacted(.array(facts.endpoints.map { .object($0.json) })),
        ]
        if facts.status != nil {
            let asked: [(String, JSONValue?)] = [
                ("logins", try? DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.jsonValue),
                ("pins", try? DaemonClient().call(CredentialsAPI.ListPinsCall()).pins.jsonValue),
                ("adapters", try? DaemonClient().call(BrokerAPI.ListCall()).adapters.jsonValue),
                ("grants", try? DaemonClient().call(BrokerAPI.ListGrantsCall()).grants.jsonValue),
                ("lines", try? DaemonClient().call(AuditAPI.ListCall(count: Self.auditLines)).lines.jsonValue),
            ]
            for (part, value) in asked { report[part] = value.map { redaction.redacted($0) } }
        }
        text = Self.preface + OutlineText(.object(report)).text
    }

    private static let preface = """
        Report of 'relctl doctor --bundle'. Names of servers, hosts, users, logins and files, and addresses, are
        replaced: equal ones by equal placeholders. Read it before you send it.


        """

    /// Kernel and distribution, which identify neither the user nor the machine.
    private static var system: JSONValue {
        let kernel = TextFile.read("/proc/sys/kernel/osrelease", maximumBytes: 256) ?? ""
        let release = TextFile.read("/etc/os-release", maximumBytes: 16 << 10) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12) ?? ""
        return .object([
            "kernel": .string(String(kernel.prefix { $0 != "\n" })),
            "distribution": .string(name.filter { $0 != "\"" }),
        ])
    }

    /// - Throws: `PlatformError`, also if the path already exists.
    func write(to path: String) throws {
        try ResultFile.create(path, mode: 0o600) { try $0.write(text) }
    }
}

extension DoctorFacts.Interface {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "loopback": .bool(isLoopback), "up": .bool(isUp), "running": .bool(isRunning),
            "multicast": .bool(takesMulticast), "addresses": .integer(Int64(addresses)),
        ]
    }
}
