// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc

/// A question that only a person at a terminal may answer.
enum Question {
    /// How often an answer may be given.
    static let attempts = 3

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

    /// Asks until there is an answer; an empty one is the proposal.
    ///
    /// - Throws: `Failure` after several empty ones.
    static func needed(_ what: String, proposal: String) throws -> String {
        for _ in 0..<attempts {
            let answer = text(proposal.isEmpty ? what : "\(what) [\(Printable(proposal))]")
            if !answer.isEmpty || !proposal.isEmpty { return answer.isEmpty ? proposal : answer }
        }
        throw Failure(.usage, "no \(what) was given")
    }

    /// Asks for a value that may be absent. An empty answer keeps the present value, and "-" removes it.
    static func changed(_ what: String, from present: String?) -> String? {
        guard let present else { return optionalText(what) }
        let answer = text("\(what) [\(Printable(present)); - for none]")
        return answer.isEmpty ? present : answer == "-" ? nil : answer
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
