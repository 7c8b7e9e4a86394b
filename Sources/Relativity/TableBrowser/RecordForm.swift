// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Platform
import Screens

/// The form of a row: all fields, one below the other.
struct RecordForm: Sendable {
    /// The row of the focused level.
    var row: RowID
    /// Whether the row is a new one that is not saved yet.
    let isNew: Bool
    /// The index of the field with the cursor.
    var field: Int
    /// The first line of the fields that is shown.
    var firstLine = 0
    /// Whether a value of a new row was set.
    var isTouched = false

    init(_ row: RowID, isNew: Bool, field: Int) {
        (self.row, self.isNew, self.field) = (row, isNew, field)
    }

    /// The values of the row; nil if it is gone.
    func values(in table: EditableTable) -> [DataValue]? { isNew ? table.draft(row) : table.row(row)?.values }
}

/// The values that a field of a form may have.
struct FieldChoice: Sendable {
    let field: Int
    let values: [DataValue]
}

extension Browser {
    /// Opens the form of the selected row.
    ///
    /// - Parameter editing: the field whose editor is opened, too; nil for none.
    mutating func openForm(editing: Int?) -> [BrowserAction] {
        guard let row = levels[focus].view.selection else {
            say("no row is selected: i inserts one")
            return []
        }
        form = RecordForm(row, isNew: false, field: levels[focus].column)
        return editing.map { editField($0) } ?? []
    }

    mutating func press(_ key: Key, _ form: RecordForm) -> [BrowserAction] {
        var form = form
        let count = levels[focus].fields.count
        form.field += key.steps(page: formLines, wheel: 1, letters: .vertical) ?? 0
        switch key {
        case .backTab: form.field -= 1
        case .tab: form.field += 1
        case .click(_, let line):
            let screen = FormScreen(browser: self, form: form)
            guard line >= 1, line <= formLines else { break }
            form.field = screen.field(at: form.firstLine + line - 1) ?? form.field
        case .left, .right, .text("h"), .text("l"):
            guard !form.isNew else { break }
            levels[focus].move(rows: key == .left || key == .text("h") ? -1 : 1)
            form.row = levels[focus].view.selection ?? form.row
        case .enter, .text("e"): return editField(form.field)
        case .control("n"), .text("n"):
            _ = set(.null, form.field)
            return []
        case .text("d"), .delete:
            guard !form.isNew else { break }
            drop { view throws(EditError) in try view.remove() }
        case .text("u"):
            if form.isNew { return dropNewRow() }
            if levels[focus].view.table.row(form.row)?.state != .unchanged {
                drop { view throws(EditError) in try view.revert() }
            }
        case .text("s"):
            if form.isNew { saveNewRow() }
            return []
        case .escape, .text("q"):
            closeForm(form)
            return []
        case .text("?"), .function(1):
            showHelp()
            return []
        default: break
        }
        form.field = min(max(form.field, 0), max(count - 1, 0))
        // A new row is gone after its removal.
        self.form = form.values(in: levels[focus].view.table) == nil ? nil : form
        return []
    }

    /// The number of lines for fields.
    var formLines: Int { max(1, size.lines - 3) }

    /// Whether the form has a new row with values, which is not a pending change yet.
    var hasNewRow: Bool { form.map { $0.isNew && $0.isTouched } ?? false }

    mutating func scrollForm() {
        guard var form, levels.indices.contains(focus) else { return }
        let lines = FormScreen(browser: self, form: form).lines(of: form.field)
        form.firstLine = min(max(form.firstLine, lines.upperBound - formLines), lines.lowerBound)
        self.form = form
    }

    // MARK: Fields

    /// Sets a field of the row of the form.
    ///
    /// - Returns: whether it was accepted.
    mutating func set(_ value: DataValue, _ field: Int) -> Bool {
        guard let form, isEditable(field) else { return false }
        let name = levels[focus].fields[field].name
        let isDone: Void? = edit { view throws(EditError) in
            try view.edit { table throws(EditError) in try table.set([name: value], of: form.row) }
        }
        guard isDone != nil else { return false }
        self.form?.isTouched = true
        return true
    }

    /// Whether a field can be edited. If not, a message says why.
    private mutating func isEditable(_ index: Int) -> Bool {
        guard levels[focus].fields.indices.contains(index) else { return false }
        let field = levels[focus].fields[index]
        if let refusal = refusal(of: levels[focus].name) {
            say(refusal, .warning)
        } else if field.isAutoInc {
            say("the server makes the values of field '\(Printable(field.name))'", .warning)
        } else if field.isReadOnly {
            say("field '\(Printable(field.name))' cannot be changed", .warning)
        } else {
            return true
        }
        return false
    }

    /// Starts to edit a field: as a line, or by a list for a Boolean or a field with names.
    ///
    /// - Parameter hasNames: false if the names cannot be read.
    @discardableResult
    mutating func editField(_ index: Int, hasNames: Bool = true) -> [BrowserAction] {
        guard let form else { return [] }
        if levels[focus].view.table.row(form.row)?.state == .removed {
            say("the row is deleted: u restores it", .warning)
            return []
        }
        guard isEditable(index) else { return [] }
        let (field, table) = (levels[focus].fields[index], levels[focus].view.table)
        guard let value = form.values(in: table)?[index] else { return [] }
        switch field.type {
        case .blob, .cursor, .unknown:
            say("a field of type \(field.type.shortName) cannot be edited here: n sets NULL", .warning)
            return []
        case .boolean:
            pick(index)
            return []
        default: break
        }
        if hasNames, let lookup = lookup(of: field, in: table.name) {
            if let master = store[lookup.master] {
                // A key that is not in the list has to be typed.
                guard master.isComplete else { return editField(index, hasNames: false) }
                pick(index)
                return []
            }
            return run(.load(table: lookup.master, predicate: nil, limit: settings.limit), .names(field: index))
        }
        let text = value.text(as: field.type) ?? ""
        guard text.unicodeScalars.count < LineEditor.longest else {
            say("the text is too long to be edited here: the limit is \(LineEditor.longest) characters", .warning)
            return []
        }
        panels.append(.prompt(Prompt(.field(index), Printable(field.name, columns: 30).description, text: text)))
        return []
    }

    /// Edits a field after the names for it were read.
    mutating func namesRead(for index: Int, isComplete: Bool) {
        // The user may have gone on.
        guard panels.isEmpty, form?.field == index else { return }
        editField(index, hasNames: isComplete)
    }

    private func lookup(of field: EditableField, in table: String) -> NameLookup? {
        relations?.lookups(of: table).first { NameMatch.isSimilar($0.field, field.name) }
    }

    /// Shows the list of values for a field of the form.
    private mutating func pick(_ index: Int) {
        guard let form else { return }
        let (field, table) = (levels[focus].fields[index], levels[focus].view.table)
        var choices: [(value: DataValue, item: PickList.Item)] = []
        if field.type == .boolean {
            choices = [true, false].map { (.boolean($0), PickList.Item("\($0)")) }
        } else if let lookup = lookup(of: field, in: table.name), let master = store[lookup.master]?.table {
            choices = lookup.names(in: master).map { key in
                let text = key.key.text(as: field.type) ?? ""
                return (key.key, PickList.Item(key.name.isEmpty ? text : key.name, text))
            }
        }
        if !field.isRequired { choices.append((.null, PickList.Item("NULL"))) }
        let value = form.values(in: table)?[index] ?? .null
        let selected = choices.firstIndex { field.isSame($0.value, value) } ?? 0
        let list = PickList(field.name, choices.map(\.item), selected: selected)
        panels.append(.pick(list, FieldChoice(field: index, values: choices.map(\.value))))
    }

    mutating func press(_ key: Key, _ list: PickList, _ choice: FieldChoice) -> [BrowserAction] {
        var list = list
        switch list.handle(key, size) {
        case .edited: replacePanel(.pick(list, choice))
        case .cancelled: panels.removeLast()
        case .picked(let index):
            panels.removeLast()
            _ = set(choice.values[index], choice.field)
        }
        return []
    }

    // MARK: New rows

    /// Closes the form. A new row with values is saved; if it cannot be, the user is asked.
    private mutating func closeForm(_ form: RecordForm) {
        guard form.isNew else { return self.form = nil }
        guard form.isTouched else { return dropNewRow() }
        saveNewRow()
        if self.form != nil, let message { panels.append(.question(.dropRow(reason: message.text))) }
    }

    /// Makes the new row of the form a pending one, and closes the form.
    private mutating func saveNewRow() {
        guard let form else { return }
        let posted = edit { view throws(EditError) in
            try view.edit { table throws(EditError) in try table.post(form.row) }
        }
        if posted != nil { self.form = nil }
    }

    /// Drops the new row of the form, and closes the form.
    mutating func dropNewRow() {
        guard let form, form.isNew else { return }
        var table = levels[focus].view.table
        try? table.cancel(form.row)
        levels[focus].view.reload(table)
        store.update(table)
        self.form = nil
    }

    private mutating func dropNewRow() -> [BrowserAction] {
        dropNewRow() as Void
        return []
    }
}

/// The screen of a form.
struct FormScreen {
    /// The maximum number of lines of a field.
    private static let mostLines = 40

    let browser: Browser
    let form: RecordForm

    private var level: RowsLevel { browser.levels[browser.focus] }

    private var nameColumns: Int {
        let widths = level.fields.map { Printable.width(of: Printable($0.name, columns: 40).description) }
        return min(widths.max() ?? 0, max(8, browser.size.columns / 3))
    }

    var lines: [ScreenLine] {
        let fields = self.fields
        let all = fields.flatMap(\.self)
        return [title] + all.dropFirst(form.firstLine).prefix(browser.formLines)
    }

    /// The lines of a field, counted from the first field.
    func lines(of index: Int) -> Range<Int> {
        var start = 0
        for (field, lines) in fields.enumerated() {
            if field == index { return start..<(start + min(lines.count, browser.formLines)) }
            start += lines.count
        }
        return 0..<1
    }

    /// The field at a line, counted from the first field.
    func field(at line: Int) -> Int? {
        var end = 0
        return fields.firstIndex { lines in
            end += lines.count
            return line < end
        }
    }

    private var title: ScreenLine {
        let row = form.isNew ? nil : level.view.table.row(form.row)
        let state =
            switch row?.state {
            case nil: "new row, not saved"
            case .unchanged: ""
            case .inserted: "new row"
            case .updated: "changed"
            case .removed: "deleted"
            }
        let place = row == nil ? "" : level.view.selectedIndex.map { "\($0 + 1)/\(level.view.count)" } ?? ""
        let words = [place, state, level.view.isReadOnly ? "read-only" : ""].filter { !$0.isEmpty }
        return ScreenLine(browser.size, heading: level.name, next: Printable(words.joined(separator: "  ")))
    }

    private var fields: [[ScreenLine]] {
        guard let values = form.values(in: level.view.table) else { return [] }
        let row = form.isNew ? nil : level.view.table.row(form.row)
        let changed = Set(row?.state == .updated ? row?.changedFields ?? [] : [])
        let nameColumns = nameColumns
        let start = nameColumns + 4
        return level.fields.indices.map { index in
            let field = level.fields[index]
            let isHere = index == form.field
            let isChanged = changed.contains(field.name)
            let texts = texts(values[index], field, width: max(1, browser.size.columns - start))
            return texts.enumerated().map { line, text in
                ScreenLine(browser.size) {
                    if line == 0 {
                        let style = ScreenStyle(isBold: field.isInPrimaryKey, isReverse: isHere)
                        if isHere { $0.put(">", at: 0, .title) }
                        if isChanged { $0.put("*", at: 1, .title) }
                        $0.put(field.name, at: 2, width: nameColumns, style)
                    }
                    $0.put(text, at: start, ScreenStyle(isBold: isChanged, isFaint: values[index].isNull))
                }
            }
        }
    }

    /// The lines of a value; at least one.
    private func texts(_ value: DataValue, _ field: EditableField, width: Int) -> [Printable] {
        guard case .text(let text) = value else { return [Grid.Cell(value, field.type).text] }
        let start = text.unicodeScalars.prefix(Self.mostLines * width)
        let isCut = start.endIndex != text.unicodeScalars.endIndex
        var lines: [Printable] = []
        for part in String(start).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            lines += TextPanel.wrapped(Printable(part, columns: .max), width)
        }
        guard lines.count > Self.mostLines || isCut else { return lines }
        return lines.prefix(Self.mostLines - 1) + [Printable("… \(text.unicodeScalars.count) characters")]
    }
}
