// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import LocalAPI
import Screens

/// A line that is typed at the bottom of the screen.
struct Prompt: Sendable {
    /// What the line is for.
    enum Purpose: Sendable {
        /// A text that is searched. The rows follow as it is typed; `before` was searched before.
        case search(before: String)
        /// A condition as text.
        case predicate
        /// The path of a file for rows.
        case export
        /// The value of a field of the form.
        case field(Int)
    }

    let purpose: Purpose
    /// The label before the line; escaped.
    let label: String
    var editor = LineEditor()
    /// The reason why the line is not valid as it is; nil if it is.
    var problem: Printable?

    init(_ purpose: Purpose, _ label: String, text: String = "") {
        (self.purpose, self.label) = (purpose, label)
        editor.complete(0, with: text)
    }

    var text: String { String(String.UnicodeScalarView(editor.text)) }

    /// The text as the rules for fields of a type understand it: without a text, only a text field has a value.
    static func value(_ text: String, of field: EditableField) throws(EditError) -> DataValue {
        if text.isEmpty, !field.type.isText { return .null }
        guard let value = field.value(parsing: text) else { throw .unfit(field: field.name, type: field.type) }
        return try field.checked(value)
    }
}

extension Browser {
    /// The maximum number of rows that are searched as one types.
    private static let quickRows = 100_000

    mutating func press(_ key: Key, _ prompt: Prompt) -> [BrowserAction] {
        var prompt = prompt
        switch (key, prompt.purpose) {
        case (.escape, .search(let before)):
            panels.removeLast()
            search(before)
            return []
        case (.escape, _):
            panels.removeLast()
            return []
        case (.enter, _): return accept(prompt, isSent: false)
        case (.tab, .predicate): return accept(prompt, isSent: true)
        case (.control("n"), .field(let field)):
            if set(.null, field) { panels.removeLast() }
            return []
        case (.control("o"), .field): prompt.editor.complete(0, with: "\n")
        case (.click, _), (.wheelUp, _), (.wheelDown, _), (.tab, _), (.up, _), (.down, _): return []
        default: _ = prompt.editor.handle(key)
        }
        prompt.problem = problem(of: prompt)
        replacePanel(.prompt(prompt))
        if case .search = prompt.purpose, isQuick { search(prompt.text) }
        return []
    }

    /// Whether the focused rows are few enough to be searched as one types.
    private var isQuick: Bool { levels[focus].view.table.count <= Self.quickRows }

    /// Asks for a text that is searched.
    mutating func startSearch() {
        let before = levels[focus].search
        panels.append(.prompt(Prompt(.search(before: before), isQuick ? "find" : "find with Enter", text: before)))
    }

    /// Checks a line while it is typed.
    private func problem(of prompt: Prompt) -> Printable? {
        let text = prompt.text
        switch prompt.purpose {
        case .search: return nil
        case .predicate:
            guard !text.isEmpty else { return nil }
            do throws(PredicateError) {
                try levels[focus].check(Expression(predicate: text))
                return nil
            } catch {
                return Printable("\(error)")
            }
        case .export:
            switch NamedFormat(of: text) {
            case .plain where text.isEmpty || text == "-": return Printable("type the name of a file")
            case .rows(.bin2), .other:
                return Printable("the name ends with \(NamedFormat.extensions), .sqlite, or has no extension")
            case .plain, .rows, .database: return nil
            }
        case .field(let field):
            do throws(EditError) {
                _ = try Prompt.value(text, of: levels[focus].fields[field])
                return nil
            } catch {
                return Printable(again: levels[focus].fields[field].words(for: error))
            }
        }
    }

    /// Writes the focused rows to a file.
    mutating func export(to path: String, replaces: Bool) -> [BrowserAction] {
        let level = levels[focus]
        return run(.export(path: path, view: level.view, fields: level.fields.map(\.name), replaces: replaces))
    }

    private mutating func accept(_ prompt: Prompt, isSent: Bool) -> [BrowserAction] {
        let text = prompt.text
        if let problem = problem(of: prompt) {
            message = Message(text: problem, tone: .bad)
            return []
        }
        switch prompt.purpose {
        case .search:
            panels.removeLast()
            search(text)
        case .predicate:
            panels.removeLast()
            filter(text.isEmpty ? nil : try? Expression(predicate: text))
            if isSent { return reload(sendsFilter: true) }
        case .export:
            panels.removeLast()
            return export(to: text, replaces: false)
        case .field(let field):
            guard let value = try? Prompt.value(text, of: levels[focus].fields[field]) else { return [] }
            if set(value, field) { panels.removeLast() }
        }
        return []
    }

    private mutating func search(_ text: String) {
        guard text != levels[focus].search else { return }
        // A search names fields of the table only.
        try? levels[focus].filter(search: text)
    }

    /// Shows the rows that satisfy a condition.
    mutating func filter(_ predicate: Expression?) {
        do throws(PredicateError) {
            try levels[focus].filter(predicate: predicate)
        } catch {
            fail(Printable("\(error)"))
        }
    }
}

extension RowsLevel {
    /// - Throws: the errors of a condition that does not fit the fields.
    func check(_ predicate: Expression) throws(PredicateError) {
        _ = try CompiledPredicate(predicate, fields: fields.map(\.column))
    }
}

extension EditableField {
    /// A sentence fragment for an error of an edit, with an example for a value that is not one of the type.
    func words(for error: EditError) -> String {
        guard case .unfit = error else { return "\(error)" }
        return "expected \(type.expectedForm)"
    }
}
