// SPDX-License-Identifier: Apache-2.0

import Platform

/// A line on standard error that says what is waited for, and goes when the wait is over.
struct Progress {
    private let isWipeable: Bool

    /// - Returns: nil where standard error is no terminal: a log is for what has happened.
    init?(_ environment: Environment = .ofProcess(), isTerminal: Bool = Terminal.errorIsTerminal) {
        guard isTerminal else { return nil }
        isWipeable = environment["TERM"] != "dumb"
    }

    /// - Parameter text: in the place of the one before. A terminal that cannot wipe it gets a line for good.
    func show(_ text: String) {
        Terminal.writeError((isWipeable ? Self.wipe : "") + "relctl: " + text + (isWipeable ? "" : "\n"))
    }

    func clear() {
        if isWipeable { Terminal.writeError(Self.wipe) }
    }

    /// To the first column, and what is behind it away.
    private static let wipe = "\r\u{1B}[K"
}
