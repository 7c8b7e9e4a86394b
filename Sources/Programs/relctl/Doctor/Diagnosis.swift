// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// Judges the facts: one finding for each check, in the order in which a person would look.
struct Diagnosis {
    let findings: [Finding]

    var isHealthy: Bool { !findings.contains { $0.verdict == .fault } }

    init(_ facts: DoctorFacts) {
        let way = facts.way.map { WayDiagnosis($0, facts) }
        // Who asks about one server need not hear of the network that is not on the way to it.
        let network = way?.isOfNetwork == false ? [] : Self.network(facts)
        let all =
            [Self.daemon(facts)] + network + Self.files(facts) + [Self.vault(facts)].compactMap { $0 }
            + Self.logins(facts) + (facts.isLoginLockedUp ? [Self.closedVault(facts)].compactMap { $0 } : [])
            + (way?.findings ?? Self.list(facts)) + Self.notes(facts)
        findings = all.map(facts.rootAccess.adapted)
    }

    /// A name behind a command, quoted; nobody may take it for an option.
    static func argument(_ name: String) -> String {
        (name.hasPrefix("-") ? "-- " : "") + ShellWord.quote(name)
    }

    /// Notes of the daemon that no other finding is about.
    private static func notes(_ facts: DoctorFacts) -> [Finding] {
        (facts.status?.notes ?? []).compactMap { note in
            switch note.code {
            case .avahiCacheFull: avahiCache(note)
            case .serverFileIgnored, .serverFileKept: administratorsFile(note, facts)
            case .vaultUnusable, .vaultSuspected: facts.vault == nil ? finding(note) : nil
            default: finding(note)
            }
        }
    }

    static func finding(_ note: ManagerAPI.Note) -> Finding {
        .warning(Finding.note, note.text.description, seen: nil, nil)
    }
}

/// What one check of `relctl doctor` came to.
struct Finding: Equatable {
    enum Verdict: String {
        case ok
        /// It works, but not as well as it could, or somebody should know of it.
        case warning
        case fault
    }

    /// What helps.
    enum Remedy: Equatable {
        /// To be typed as it stands. What is foreign in it is a word made by `ShellWord`, so it is one printable line.
        case command(String)
        /// What no command does.
        case advice(String)

        var text: String {
            switch self {
            case .command(let text), .advice(let text): text
            }
        }
    }

    /// A stable word for the check.
    let check: String
    let verdict: Verdict
    /// A sentence fragment: what is so. Foreign text in it was made printable.
    let finding: String
    /// How that can be seen; may hold foreign text.
    var evidence: String?
    var remedy: Remedy?

    /// The check that passes on what the daemon says in its own words.
    static let note = "note"
    /// Checks whose evidence may quote a server, or what tells of one.
    private static let foreignChecks: Set = ["reach", "identity", "login", "conflict", "source"]

    /// For others to read: without what may be a server's text, whose names and hosts nobody could know to replace.
    var forOthers: Finding {
        var finding = self
        if check == Self.note {
            finding = Finding(check: check, verdict: verdict, finding: "the daemon notes something")
        }
        guard Self.foreignChecks.contains(check), evidence != nil else { return finding }
        finding.evidence = "left out: it may quote the server"
        return finding
    }

    static func ok(_ check: String, _ finding: String) -> Finding {
        Finding(check: check, verdict: .ok, finding: finding)
    }

    static func fault(_ check: String, _ finding: String, seen evidence: String?, _ remedy: Remedy?) -> Finding {
        Finding(check: check, verdict: .fault, finding: finding, evidence: evidence, remedy: remedy)
    }

    static func warning(_ check: String, _ finding: String, seen evidence: String?, _ remedy: Remedy?) -> Finding {
        Finding(check: check, verdict: .warning, finding: finding, evidence: evidence, remedy: remedy)
    }

    var json: JSONValue {
        var command: JSONValue = .null
        if case .command(let text)? = remedy { command = .string(text) }
        return [
            "check": .string(check),
            "verdict": .string(verdict.rawValue),
            "finding": .string(finding),
            "evidence": evidence.map { .string($0) } ?? .null,
            "remedy": remedy.map { .string($0.text) } ?? .null,
            "command": command,
        ]
    }
}
