// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// Evaluates the facts: one finding for each check, ordered from the daemon to the login.
struct Diagnosis {
    let findings: [Finding]

    var isHealthy: Bool { !findings.contains { $0.verdict == .fault } }

    init(_ facts: DoctorFacts) {
        let way = facts.way.map { WayDiagnosis($0, facts) }
        // The network is left out if the path to the server in question does not depend on it.
        let network = way?.isOfNetwork == false ? [] : Self.network(facts)
        let all =
            [Self.daemon(facts)] + network + Self.files(facts) + [Self.vault(facts)].compactMap { $0 }
            + Self.logins(facts) + (facts.isLoginLockedUp ? [Self.closedVault(facts)].compactMap { $0 } : [])
            + (way?.findings ?? Self.list(facts)) + Self.notes(facts)
        findings = all.map(facts.rootAccess.adapted)
    }

    /// A name as an argument of a command: quoted, and not readable as an option.
    static func argument(_ name: String) -> String {
        (name.hasPrefix("-") ? "-- " : "") + ShellWord.quote(name)
    }

    /// Findings for those notes of the daemon that no other finding covers.
    private static func notes(_ facts: DoctorFacts) -> [Finding] {
        (facts.status?.notes ?? []).compactMap { note in
            switch note.code {
            case .avahiCacheFull: avahiCache(note)
            case .serverFileIgnored, .serverFileKept: administratorsFile(note, facts)
            case .vaultUnusable, .vaultSuspected: facts.vault == nil ? finding(note) : nil
            // Without the bus, its finding has the reason.
            case .sleepUnnoticed where facts.bus != .listens:
                .warning(Finding.note, "the vault may stay open when the machine sleeps", seen: nil, nil)
            case .sessionLockUnnoticed where facts.bus != .listens:
                .warning(Finding.note, "the vault may stay open when the session locks", seen: nil, nil)
            default: finding(note)
            }
        }
    }

    static func finding(_ note: ManagerAPI.Note) -> Finding {
        .warning(Finding.note, note.text.description, seen: nil, nil)
    }
}

/// The result of one check of `relctl doctor`.
struct Finding: Equatable {
    enum Verdict: String {
        case ok
        /// A limitation, or a fact that the user should know.
        case warning
        case fault
    }

    /// The way to fix the problem.
    enum Remedy: Equatable {
        /// One printable line to run unchanged. Untrusted parts were quoted with `ShellWord`.
        case command(String)
        /// A step that is not a command.
        case advice(String)

        var text: String {
            switch self {
            case .command(let text), .advice(let text): text
            }
        }
    }

    /// A stable name of the check.
    let check: String
    let verdict: Verdict
    /// The result as a sentence fragment. Untrusted text in it was made printable.
    let finding: String
    /// The observation that led to the finding; may contain untrusted text.
    var evidence: String?
    var remedy: Remedy?

    /// The check of findings that repeat a note of the daemon.
    static let note = "note"
    /// Checks whose evidence may quote a server or describe one.
    private static let foreignChecks: Set = ["reach", "identity", "login", "conflict", "source"]

    /// The finding for a bundle, without text that may come from a server, because names in it cannot be recognised.
    var forOthers: Finding {
        var finding = self
        if check == Self.note {
            finding = Finding(check: check, verdict: verdict, finding: "the daemon reports a problem")
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
