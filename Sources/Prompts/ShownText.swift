// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Foreign text as part of a question: printable, and short enough that it crowds out no other fact.
package enum ShownText {
    /// Of one name. A question has room for several, and every prompt has its limit in bytes.
    private static let mostBytes = 110
    private static let columns = 80

    package static func of(_ text: String) -> String {
        cut(Printable(text, columns: columns).description)
    }

    /// A name between quotes, so that a fact that the name imitates is seen to be a part of it. Quotes inside are escaped.
    package static func quoted(_ text: String) -> String {
        "'" + cut(Printable(text, columns: columns).description.replacing("'", with: "\\'")) + "'"
    }

    /// `process 12 ('name')`. The name is the process's own choice, and both are a claim only.
    package static func of(process pid: Int32?, named name: String?) -> String {
        guard let pid else { return "an unknown process" }
        return name.map { "process \(pid) (\(quoted($0)))" } ?? "process \(pid)"
    }

    private static func cut(_ text: String) -> String {
        var kept = ""
        var byteCount = 0
        for character in text.unicodeScalars {
            byteCount += cost(of: character)
            guard byteCount <= mostBytes else { return kept + "…" }
            kept.unicodeScalars.append(character)
        }
        return kept
    }

    /// How long it becomes on the way to a prompt (`AssuanText`).
    private static func cost(of character: Unicode.Scalar) -> Int {
        switch character {
        case "%": 3
        case "<": 6
        default: UTF8.width(character)
        }
    }
}
