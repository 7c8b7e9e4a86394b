// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Endpoints
package import Screens

/// The screen of a predicate editor.
extension PredicateEditor {
    static let headLines = 1
    private static let footLines = 2

    /// The number of parts that a screen shows.
    func treeHeight(_ size: ScreenSize) -> Int { max(1, size.lines - Self.headLines - Self.footLines) }

    /// The lines of the screen, exactly as many as it has.
    package func lines(_ size: ScreenSize) -> [ScreenLine] {
        switch step {
        case .pick(let list, _, _): return list.lines(size)
        case .tree: return size.filled([title(size)] + parts(size), foot: foot(Self.treeKeys, size))
        case .help: return size.filled([title(size)] + help(size), foot: foot([KeyName("any key", "back")], size))
        case .line(let line, .text):
            return size.filled([title(size), typed(line, "", size)], foot: foot(Self.lineKeys, size))
        case .line(let line, .value(let draft)):
            let values = draft.values.map { "\($0) and" }
            let prompt = ([draft.name, draft.template?.title ?? ""] + values).joined(separator: " ")
            let lines = [title(size), typed(line, prompt, size), check(line, draft, size)]
            return size.filled(lines, foot: foot(Self.lineKeys, size))
        }
    }

    private static let treeKeys = [
        KeyName("Esc", "back"), KeyName("s", "use"), KeyName("Enter", "edit"), KeyName("?", "keys"),
        KeyName("a", "add"),
        KeyName("d", "delete"), KeyName("n", "not"), KeyName("t", "and/or"), KeyName("g", "group"),
        KeyName("e", "as text"), KeyName("u", "undo"),
    ]
    private static let lineKeys = [KeyName("Enter", "done"), KeyName("Esc", "back")]
    private static let commands = [
        ("Enter", "edit the value, or exchange AND and OR"), ("f", "choose another field"),
        ("o", "choose another operator"), ("c", "ignore case, accents, both, or nothing"), ("a", "add a condition"),
        ("d", "delete"), ("n", "negate, or not"), ("t", "exchange AND and OR of the group"), ("g", "make it a group"),
        ("<", "move it out of its group"), (">", "move it into the group next to it"), ("e", "edit it as text"),
        ("u", "undo"), ("s", "use the condition"), ("Esc", "back without a change"),
    ]

    private func title(_ size: ScreenSize) -> ScreenLine {
        ScreenLine(size, heading: "Condition of \(table)", right: tree.root == original ? "" : "changed")
    }

    private func parts(_ size: ScreenSize) -> [ScreenLine] {
        if entries.isEmpty { return [ScreenLine(size) { $0.put("all rows: a adds a condition", at: 0, .faint) }] }
        return cursor.visible(of: entries.count, height: treeHeight(size)).map { place in
            ScreenLine(size) { line in
                let entry = entries[place]
                let isSelected = place == cursor.selected
                let style: ScreenStyle = isSelected ? .chosen : entry.part.group == nil ? .plain : .title
                if isSelected { line.fill("", style) }
                line.put(text(of: entry.part), at: min(2 * entry.path.count, size.columns / 3), style)
            }
        }
    }

    private func help(_ size: ScreenSize) -> [ScreenLine] {
        Self.commands.map { key, effect in
            ScreenLine(size) { line in
                line.put(key, at: 0)
                line.put(effect, at: 6)
            }
        }
    }

    private func typed(_ line: LineEditor, _ prompt: String, _ size: ScreenSize) -> ScreenLine {
        ScreenLine(size) { screen in
            let shown = Printable(prompt, columns: max(1, size.columns / 2))
            screen.put(shown, at: 0, .faint)
            screen.put(line, at: prompt.isEmpty ? 0 : Printable.width(of: shown.description) + 1, size)
        }
    }

    /// The predicate as text, or the reason why the last key was refused, and the keys.
    private func foot(_ keys: [KeyName], _ size: ScreenSize) -> [ScreenLine] {
        let text = ScreenLine(size) { line in
            if let message {
                line.put(message, at: 0, .bad)
            } else {
                line.put(tree.root?.description ?? "", at: 0, .faint)
            }
        }
        return [text, .keys(keys, size)]
    }

    /// The values that are expected; a warning while the typed one is none of them.
    private func check(_ line: LineEditor, _ draft: Draft, _ size: ScreenSize) -> ScreenLine {
        ScreenLine(size) { screen in
            guard let field = draft.field, let template = draft.template else { return }
            let text = String(String.UnicodeScalarView(line.text))
            if template == .comparison(.like) { screen.put("* is any text, ? is any character", at: 0, .faint) }
            guard field.literal(parsing: text, for: template) == nil else { return }
            screen.put(field.expectedLiteral, at: 0, text.isEmpty ? .faint : .warning)
        }
    }

    /// The text of a part, not escaped.
    private func text(of part: Expression) -> String {
        if let group = part.group {
            return String(repeating: "NOT ", count: part.negations) + (group.isConjunction ? "all of" : "any of")
        }
        guard let row = PredicateRow(part, fields) else { return part.description }
        var words = [String](repeating: "NOT", count: row.negations) + [row.field, row.template.title]
        switch row.folding {
        case [.ignoresCase]: words.append("(any case)")
        case [.ignoresDiacritics]: words.append("(any accent)")
        case []: break
        default: words.append("(any case and accent)")
        }
        let known = fields.named(row.field).flatMap { names[$0.name] } ?? [:]
        let values = row.values.map { value in known[value].map { "\(value) (\($0))" } ?? "\(value)" }
        return (words + (values.isEmpty ? [] : [values.joined(separator: " and ")])).joined(separator: " ")
    }
}
