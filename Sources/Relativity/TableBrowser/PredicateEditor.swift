// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
internal import Endpoints
package import Screens

/// An editor of a predicate on the whole screen: a tree of groups (AND, OR) and of tests, each of which may be negated.
///
/// A test that has no form of a template is shown as its text, and can be edited as text. The result equals the predicate
/// at the beginning if nothing was changed.
package struct PredicateEditor: Sendable {
    /// The effect of a key.
    package enum Outcome: Hashable, Sendable {
        case edited
        /// The predicate is to be used; nil for all rows.
        case accepted(Expression?)
        case cancelled
        /// The reason, which is shown too. It may have untrusted parts.
        case refused(String)
    }

    /// A test that is being made, step by step.
    struct Draft: Sendable {
        /// The test that is replaced; nil for a new one.
        var path: PredicateTree.Path?
        var negations = 0
        /// The name of the field as it is written.
        var name = ""
        var field: EditableField?
        var template: PredicateTemplate?
        var folding: PredicateFolding = []
        /// The values that are certain. The next one is asked for.
        var values: [PredicateValue] = []
        /// The values before.
        var earlier: [PredicateValue] = []

        /// The templates for the field.
        var templates: [PredicateTemplate] { field.map { PredicateTemplate.templates(for: $0.type) } ?? [] }

        /// Drops the values that do not fit the field and the template.
        mutating func dropUnfit() {
            guard let field, let template else { return }
            let isFit = { (value: PredicateValue) in field.literal(parsing: value.typed, for: template) == value }
            values = Array(values.prefix(while: isFit))
            earlier = Array(earlier.prefix(while: isFit))
            if !field.type.isText { folding = [] }
        }
    }

    /// A part of a test that is picked from a list.
    enum Part: Sendable { case field, template, name }

    /// What is typed as a line.
    enum Typed: Sendable {
        /// The next value of a test.
        case value(Draft)
        /// The part at a path.
        case text(PredicateTree.Path)
    }

    /// The thing that is on the screen.
    enum Step: Sendable {
        case tree
        case pick(PickList, Draft, Part)
        case line(LineEditor, Typed)
        case help
    }

    private static let levels = ExpressionLimits.predicate.depth
    private static let mostParts = 500
    private static let undoSteps = 100
    /// The keys for the selected part.
    private static let partKeys: Set<Key> = Set("focdntg<>".unicodeScalars.map { .text($0) }).union([.enter, .delete])

    /// The name of the table, which is untrusted.
    let table: String
    let fields: [EditableField]
    private let predicateFields: [DataColumn]
    /// For each field with names, these in their order.
    private let keys: [String: [NamedKey]]
    /// For each field with names, the name of each literal.
    let names: [String: [PredicateValue: String]]
    let original: Expression?

    private(set) var tree: PredicateTree
    private(set) var entries: [PredicateTree.Entry]
    private(set) var cursor = ListCursor()
    private(set) var step = Step.tree
    /// The reason why the last key was refused.
    private(set) var message: String?
    private var before: [PredicateTree] = []
    private var size = ScreenSize(columns: 80, lines: 24)

    /// Creates an editor.
    ///
    /// - Parameters:
    ///   - predicate: nil for all rows.
    ///   - table: the name of the table, for the heading.
    ///   - names: the keys that the fields with these names may have, to be picked by name.
    package init(
        _ predicate: Expression?,
        table: String,
        fields: [EditableField],
        names: [String: [NamedKey]] = [:]
    ) {
        (original, self.table, self.fields, keys) = (predicate, table, fields, names)
        predicateFields = fields.map(\.column)
        self.names = names.mapValues { keys in
            let named = keys.compactMap { key in PredicateValue(key.key).map { ($0, key.name) } }
            return Dictionary(named) { first, _ in first }
        }
        tree = PredicateTree(predicate)
        entries = tree.entries
    }

    /// The predicate as edited so far; nil for all rows.
    package var predicate: Expression? { tree.root }

    /// Whether the tree is shown, so that letters are commands. Otherwise a part is being edited.
    package var showsTree: Bool { if case .tree = step { true } else { false } }

    /// Handles a key.
    ///
    /// - Parameter size: the size of the screen that was shown.
    package mutating func handle(_ key: Key, _ size: ScreenSize) -> Outcome {
        (self.size, message) = (size, nil)
        let outcome: Outcome
        switch step {
        case .tree: outcome = handleInTree(key)
        case .pick(let list, let draft, let part): outcome = handle(key, list, draft, part)
        case .line(let line, let typed): outcome = handle(key, line, typed)
        case .help: outcome = show(.tree)
        }
        if case .refused(let reason) = outcome { message = reason }
        return outcome
    }

    private mutating func show(_ step: Step) -> Outcome {
        self.step = step
        return .edited
    }

    // MARK: Tree

    private var selected: PredicateTree.Entry? {
        entries.indices.contains(cursor.selected) ? entries[cursor.selected] : nil
    }

    private mutating func handleInTree(_ key: Key) -> Outcome {
        if cursor.handle(key, of: entries.count, height: treeHeight(size)) { return .edited }
        switch key {
        case .escape, .control("c"): return .cancelled
        case .text("s"): return .accepted(tree.root)
        case .text("?"), .function(1): return show(.help)
        case .text("a"), .insert: return addTest()
        case .text("e"): return editText(at: selected?.path ?? [])
        case .text("u"), .control("z"): return undo()
        case .click(_, let line): return click(line)
        default: break
        }
        guard let selected else {
            return Self.partKeys.contains(key) ? .refused("no condition yet: a adds one") : .edited
        }
        switch key {
        case .enter: return edit(selected)
        case .text("f"): return pick(.field, of: selected)
        case .text("o"): return pick(.template, of: selected)
        case .text("c"): return changeFolding(of: selected)
        case .text("d"), .delete: return change(selecting: selected.path) { $0.remove(selected.path) }
        case .text("n"):
            var part = Expression.not(selected.part)
            if case .not(let inner) = selected.part.node { part = inner }
            return change(selecting: selected.path) { $0.replace(selected.path, with: part) }
        case .text("t"): return changeKind(of: selected)
        case .text("g"): return group(selected)
        case .text("<"): return move(selected, "not in a group within a group") { $0.moveOut(selected.path) }
        case .text(">"): return move(selected, "no group next to it") { $0.moveIn(selected.path) }
        default: return .edited
        }
    }

    private mutating func click(_ line: Int) -> Outcome {
        let height = treeHeight(size)
        guard let place = cursor.place(at: line - Self.headLines, of: entries.count, height: height) else {
            return .edited
        }
        if place == cursor.selected { return edit(entries[place]) }
        cursor.select(place, of: entries.count, height: height)
        return .edited
    }

    private mutating func edit(_ entry: PredicateTree.Entry) -> Outcome {
        if entry.part.group != nil { return changeKind(of: entry) }
        guard var draft = draft(of: entry) else { return editText(at: entry.path) }
        if draft.template?.valueCount == 0 { return pick(.template, of: entry) }
        draft.values = []
        return proceed(draft)
    }

    /// Exchanges AND and OR of the selected group, or of the group of the selected test.
    private mutating func changeKind(of entry: PredicateTree.Entry) -> Outcome {
        let path = entry.part.group == nil ? PredicateTree.Path(entry.path.dropLast()) : entry.path
        guard let part = tree[path], var group = part.group else { return .refused("in no group") }
        group.isConjunction.toggle()
        return change(selecting: entry.path) { $0.replace(path, with: part.replacingGroup(group)) }
    }

    /// Puts a part into a group of its own, of the other kind than the group around it.
    private mutating func group(_ entry: PredicateTree.Entry) -> Outcome {
        let isInConjunction = entry.path.isEmpty ? true : tree[entry.path.dropLast()]?.group?.isConjunction ?? true
        let group = PredicateGroup(!isInConjunction, [entry.part]).predicate
        return change(selecting: entry.path) { $0.replace(entry.path, with: group) }
    }

    private mutating func move(
        _ entry: PredicateTree.Entry,
        _ reason: String,
        _ body: (inout PredicateTree) -> PredicateTree.Path?
    ) -> Outcome {
        var moved = tree
        guard let path = body(&moved) else { return .refused(reason) }
        return change(selecting: path) { $0 = moved }
    }

    private mutating func changeFolding(of entry: PredicateTree.Entry) -> Outcome {
        guard var row = PredicateRow(entry.part, fields), case .text? = row.values.first else {
            return .refused("only tests of text ignore case or accents")
        }
        row.folding = PredicateFolding(rawValue: (row.folding.rawValue + 1) & 3)
        return change(selecting: entry.path) { $0.replace(entry.path, with: row.predicate) }
    }

    private mutating func undo() -> Outcome {
        guard let last = before.popLast() else { return .refused("nothing to undo") }
        tree = last
        entries = last.entries
        cursor.select(cursor.selected, of: entries.count, height: treeHeight(size))
        return .edited
    }

    /// Edits the tree, unless it becomes too large, and shows it.
    private mutating func change(
        selecting path: PredicateTree.Path,
        _ body: (inout PredicateTree) -> Void
    ) -> Outcome {
        var edited = tree
        body(&edited)
        let parts = edited.entries
        guard edited.depth <= max(Self.levels, tree.depth) else { return .refused("more than \(Self.levels) levels") }
        guard parts.count <= max(Self.mostParts, entries.count) else {
            return .refused("more than \(Self.mostParts) parts")
        }
        before = before.suffix(Self.undoSteps - 1) + [tree]
        (tree, entries, step) = (edited, parts, .tree)
        let place = parts.firstIndex { $0.path == path } ?? cursor.selected
        cursor.select(place, of: parts.count, height: treeHeight(size))
        return .edited
    }

    // MARK: Tests

    private func draft(of entry: PredicateTree.Entry) -> Draft? {
        guard let row = PredicateRow(entry.part, fields) else { return nil }
        return Draft(
            path: entry.path,
            negations: row.negations,
            name: row.field,
            field: fields.named(row.field),
            template: row.template,
            folding: row.folding,
            values: row.values,
            earlier: row.values
        )
    }

    private mutating func addTest() -> Outcome { proceed(Draft()) }

    private mutating func pick(_ part: Part, of entry: PredicateTree.Entry) -> Outcome {
        guard let draft = draft(of: entry) else { return .refused("no test of a field: e edits it as text") }
        return pick(part, draft)
    }

    /// Asks for the first thing that a test does not have yet. A complete test becomes part of the tree.
    private mutating func proceed(_ draft: Draft) -> Outcome {
        guard let field = draft.field else { return pick(.field, draft) }
        guard let template = draft.template, draft.templates.contains(template) else {
            return pick(.template, draft)
        }
        guard draft.values.count >= template.valueCount else {
            if template.isEquality, keys[field.name] != nil { return pick(.name, draft) }
            var line = LineEditor()
            if draft.earlier.indices.contains(draft.values.count) {
                line.complete(0, with: draft.earlier[draft.values.count].typed)
            }
            return show(.line(line, .value(draft)))
        }
        if template == .comparison(.like), case .text(let pattern)? = draft.values.first,
            let mistake = LikePattern.mistake(in: pattern)
        {
            return .refused(mistake)
        }
        var row = PredicateRow(draft.name, template, Array(draft.values.prefix(template.valueCount)))
        (row.negations, row.folding) = (draft.negations, draft.folding)
        let path = draft.path
        return use(row.predicate, at: path ?? selected?.path ?? [], isNew: path == nil)
    }

    /// Puts a part into the tree if it fits the fields.
    private mutating func use(_ part: Expression, at path: PredicateTree.Path, isNew: Bool) -> Outcome {
        do throws(PredicateError) {
            _ = try CompiledPredicate(part, fields: predicateFields)
        } catch {
            return .refused("\(error)")
        }
        guard isNew || tree.root == nil else { return change(selecting: path) { $0.replace(path, with: part) } }
        var edited = tree
        let new = edited.add(part, at: path)
        return change(selecting: new) { $0 = edited }
    }

    /// Shows the list of what a part of the test may be.
    private mutating func pick(_ part: Part, _ draft: Draft) -> Outcome {
        let place: Int?
        let list: (title: String, items: [PickList.Item])
        switch part {
        case .field:
            place = fields.firstIndex { $0.name == draft.field?.name }
            list = ("Field", fields.map { PickList.Item($0.name, $0.type.shortName) })
        case .template:
            place = draft.templates.firstIndex { $0 == draft.template }
            list = (draft.name, draft.templates.map { PickList.Item($0.title) })
        case .name:
            let keys = namedKeys(of: draft)
            place = draft.earlier.first.flatMap { value in keys.firstIndex { PredicateValue($0.key) == value } }
            let items = keys.map { PickList.Item($0.name, PredicateValue($0.key)?.typed ?? "") }
            list = ("\(draft.name) \(draft.template?.title ?? "")", items)
        }
        return show(.pick(PickList(list.title, list.items, selected: place ?? 0), draft, part))
    }

    private func namedKeys(of draft: Draft) -> [NamedKey] { draft.field.flatMap { keys[$0.name] } ?? [] }

    private mutating func handle(_ key: Key, _ list: PickList, _ draft: Draft, _ part: Part) -> Outcome {
        var (list, draft) = (list, draft)
        switch (list.handle(key, size), part) {
        case (.edited, _): return show(.pick(list, draft, part))
        case (.cancelled, _): return show(.tree)
        case (.picked(let index), .field):
            if draft.field?.name != fields[index].name { draft.name = fields[index].name }
            draft.field = fields[index]
            draft.dropUnfit()
        case (.picked(let index), .template):
            draft.template = draft.templates[index]
            draft.dropUnfit()
        case (.picked(let index), .name):
            guard let literal = PredicateValue(namedKeys(of: draft)[index].key) else {
                return .refused("this key cannot be compared")
            }
            draft.values.append(literal)
        }
        return proceed(draft)
    }

    // MARK: Lines

    private mutating func editText(at path: PredicateTree.Path) -> Outcome {
        var line = LineEditor()
        line.complete(0, with: tree[path]?.description ?? "")
        return show(.line(line, .text(path)))
    }

    private mutating func handle(_ key: Key, _ before: LineEditor, _ typed: Typed) -> Outcome {
        if key == .escape { return show(.tree) }
        var line = before
        switch (line.handle(key), typed) {
        case (.abandoned, _): return show(.tree)
        case (.edited, _), (.ended, _), (.wantsCompletion, _): return show(.line(line, typed))
        case (.accepted(let text), .value(var draft)):
            guard let field = draft.field, let template = draft.template,
                let literal = field.literal(parsing: text, for: template)
            else { return .refused(draft.field?.expectedLiteral ?? "") }
            draft.values.append(literal)
            return proceed(draft)
        case (.accepted(let text), .text(let path)):
            // A part that the parser makes in another form stays as it is.
            if text == tree[path]?.description { return show(.tree) }
            do throws(PredicateError) {
                return use(try Expression(predicate: text), at: path, isNew: false)
            } catch {
                var line = before
                line.moveCursor(toColumn: error.column ?? 1)
                step = .line(line, typed)
                return .refused("\(error)")
            }
        }
    }
}

extension LineEditor {
    /// Moves the cursor to the letter at a column, counted in Unicode scalars from 1, or to the end.
    fileprivate mutating func moveCursor(toColumn column: Int) {
        _ = handle(.home)
        while cursor < min(column - 1, text.count) { _ = handle(.right) }
    }
}
