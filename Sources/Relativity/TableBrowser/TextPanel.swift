// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Screens

/// A text on the whole screen, which scrolls.
struct TextPanel: Sendable {
    /// A line, which is wrapped.
    struct Line: Sendable {
        let text: Printable
        let style: ScreenStyle
        /// The first column.
        let indent: Int

        init(_ text: Printable, _ style: ScreenStyle = .plain, indent: Int = 0) {
            (self.text, self.style, self.indent) = (text, style, indent)
        }

        /// - Parameter text: untrusted parts are escaped.
        init(_ text: String, _ style: ScreenStyle = .plain, indent: Int = 0) {
            self.init(Printable(again: text), style, indent: indent)
        }
    }

    /// What the text is, which decides about further keys.
    enum Kind: Sendable {
        case help
        case message
        /// The changes that are sent if the user agrees.
        case review
        /// The outcome of an apply.
        case result(hasConflicts: Bool, hasPending: Bool)
        /// Changes of unknown outcome.
        case undecided([OutcomeVerdict])
    }

    let title: String
    let lines: [Line]
    let kind: Kind
    private var first = 0

    init(_ title: String, _ lines: [Line], _ kind: Kind) {
        (self.title, self.lines, self.kind) = (title, lines, kind)
    }

    /// Scrolls.
    ///
    /// - Returns: false if the key does not scroll.
    mutating func scroll(_ key: Key, _ size: ScreenSize) -> Bool {
        let page = max(1, size.lines - 3)
        guard let steps = key.steps(page: page, letters: .vertical) else { return false }
        first = min(max(first + steps, 0), max(0, wrapped(size).count - page))
        return true
    }

    /// The title and the visible lines.
    func lines(_ size: ScreenSize) -> [ScreenLine] {
        let heading = ScreenLine(size) { $0.put(title, at: 0, .title) }
        return [heading]
            + wrapped(size).dropFirst(first).prefix(max(1, size.lines - 3)).map { line in
                ScreenLine(size) { $0.put(line.text, at: line.indent, line.style) }
            }
    }

    private func wrapped(_ size: ScreenSize) -> [Line] {
        lines.flatMap { line in
            let texts = Self.wrapped(line.text, max(1, size.columns - line.indent))
            return texts.map { Line($0, line.style, indent: line.indent) }
        }
    }

    /// Divides a text into lines of a width, at spaces if possible; at least one line.
    static func wrapped(_ text: Printable, _ width: Int) -> [Printable] {
        guard Printable.width(of: text.description) > width else { return [text] }
        var lines: [Printable] = []
        var line = ""
        var columns = 0
        /// The length of the line up to its last space.
        var space: String.Index?
        for letter in text.description {
            let letterColumns = Printable.width(of: String(letter))
            if columns + letterColumns > width, !line.isEmpty {
                let end = letter == " " ? line.endIndex : space ?? line.endIndex
                let rest = String(line[end...].drop { $0 == " " })
                lines.append(Printable(again: String(line[..<end])))
                (line, columns, space) = (rest, Printable.width(of: rest), nil)
                if letter == " ", rest.isEmpty { continue }
            }
            if letter == " " { space = line.endIndex }
            line.append(letter)
            columns += letterColumns
        }
        return lines + [Printable(again: line)]
    }
}

extension Browser {
    mutating func press(_ key: Key, _ panel: TextPanel) -> [BrowserAction] {
        var panel = panel
        if panel.scroll(key, size) {
            replacePanel(.text(panel))
            return []
        }
        switch (panel.kind, key) {
        case (_, .escape), (_, .text("q")), (.help, _), (.message, .enter), (.result, .enter): panels.removeLast()
        case (.review, .text("y")): return apply(isForced: false)
        case (.review, .text("n")): panels.removeLast()
        case (.result(true, _), .text("f")): panels.append(.question(.overwrite))
        case (.result(_, true), .text("r")):
            panels.removeLast()
            reviewChanges()
        case (.undecided(let verdicts), .text(let letter)): return decide(letter, verdicts)
        default: break
        }
        return []
    }
}
