// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A question that only a person at a terminal may answer.
enum Question {
    /// - Returns: true only for an answer that begins with y.
    static func isYes(_ question: String) -> Bool {
        guard Terminal.inputIsTerminal else { return false }
        Terminal.writeError("\(question) [y/N] ")
        guard let answer = readLine() else { return false }
        return answer.lowercased().hasPrefix("y")
    }

    /// - Returns: the answer, or `proposal` for an empty one.
    static func choice(_ question: String, proposal: String) -> String {
        Terminal.writeError("\(question) [\(proposal)] ")
        let answer = readLine() ?? ""
        return answer.isEmpty ? proposal : answer
    }

    static func text(_ what: String) -> String {
        Terminal.writeError("\(what): ")
        return readLine() ?? ""
    }

    /// - Returns: nil for an empty answer.
    static func optionalText(_ what: String) -> String? {
        let answer = text("\(what) (empty for none)")
        return answer.isEmpty ? nil : answer
    }

    /// - Returns: false only for an answer that begins with n.
    static func isNotNo(_ question: String) -> Bool {
        guard Terminal.inputIsTerminal else { return false }
        Terminal.writeError("\(question) [Y/n] ")
        guard let answer = readLine() else { return false }
        return !answer.lowercased().hasPrefix("n")
    }
}
