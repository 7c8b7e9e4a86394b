// SPDX-License-Identifier: Apache-2.0

import Endpoints

extension AuditFault {
    /// The fault of the line as a clause.
    var text: String {
        switch code {
        case .unreadable: "the line is malformed"
        case .changed: "the line was changed"
        case .foreign: "the line's tag was not made by this vault"
        case .missing:
            "\(lines) missing before it (removed, or the vault was restored from a machine that has them)"
        case .misplaced: "it is line \(found ?? 0) instead of line \(expected ?? 0)"
        case .replaced: "the line before it was replaced"
        case .truncated: "\(lines) missing at the end"
        }
    }

    private var lines: String {
        let (first, last) = (first ?? 0, last ?? 0)
        return first == last ? "line \(first) is" : "lines \(first) to \(last) are"
    }
}
