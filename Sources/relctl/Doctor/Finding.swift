// SPDX-License-Identifier: Apache-2.0

import JSON

/// What one check of `relctl doctor` came to.
struct Finding: Equatable {
    enum Verdict: String {
        case ok
        /// It works, but not as well as it could, or somebody should know of it.
        case warning
        case fault
    }

    /// A stable word for the check.
    let check: String
    let verdict: Verdict
    /// A sentence fragment: what is so.
    let finding: String
    /// How that can be seen; may hold foreign text.
    var evidence: String?
    /// A command to type, or what to change.
    var remedy: String?

    static func ok(_ check: String, _ finding: String) -> Finding {
        Finding(check: check, verdict: .ok, finding: finding)
    }

    var json: JSONValue {
        [
            "check": .string(check),
            "verdict": .string(verdict.rawValue),
            "finding": .string(finding),
            "evidence": evidence.map { .string($0) } ?? .null,
            "remedy": remedy.map { .string($0) } ?? .null,
        ]
    }
}
