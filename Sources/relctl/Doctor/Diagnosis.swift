// SPDX-License-Identifier: Apache-2.0

import Endpoints
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
