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
}
