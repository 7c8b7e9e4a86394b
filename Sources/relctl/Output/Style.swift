// SPDX-License-Identifier: Apache-2.0

import Platform

/// How text may look, decided once from where it goes to.
struct Style: Hashable {
    private static let dumbTerminals: Set<String?> = [nil, "dumb"]

    let isColoured: Bool
    /// Whether marks of our own may be other than ASCII. What strangers call things is shown either way.
    let isUnicode: Bool

    static let plain = Style(isTerminal: false, Environment([:]))
    static let ofOutput = Style(isTerminal: Terminal.outputIsTerminal, .ofProcess())

    /// - Parameter environment: `NO_COLOR` with any value and `TERM=dumb` mean no colours; the first of `LC_ALL`, `LC_CTYPE`
    ///   and `LANG` that is set names the character set.
    init(isTerminal: Bool, _ environment: Environment) {
        isColoured =
            isTerminal && environment["NO_COLOR"] == nil && !Self.dumbTerminals.contains(environment["TERM"])
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        isUnicode = isTerminal && locale.lowercased().filter { $0 != "-" }.contains("utf8")
    }

    /// For counts: 3×.
    var times: String { isUnicode ? "×" : "x" }

    /// For what is cut.
    var ellipsis: String { isUnicode ? "…" : "..." }

    /// Between what was and what is.
    var arrow: String { isUnicode ? "→" : "->" }

    func heading(_ text: String) -> String { painted(text, "1") }

    /// A word that tells a state, in the colour of what it means; any other word as it is.
    func state(_ word: String) -> String {
        switch word {
        case "reachable", "up", "unlocked", "ok": painted(word, "32")
        case "stale", "sealed", "locked", "warning": painted(word, "33")
        case "unreachable", "conflict", "down", "failed", "fault": painted(word, "31")
        default: word
        }
    }

    private func painted(_ text: String, _ code: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
