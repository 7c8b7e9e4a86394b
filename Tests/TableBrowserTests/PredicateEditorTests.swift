// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens
import TestSupport
import Testing

@testable import TableBrowser

@Suite("The predicate editor")
struct PredicateEditorTests {
    private static let customers = [
        NamedKey(.integer(3), "Ada"), NamedKey(.integer(5), "Grace"), NamedKey(.null, "nothing"),
    ]

    private func editor(_ text: String?, names: Bool = false) throws -> PredicateEditor {
        PredicateEditor(
            try text.map { try Expression(predicate: $0) },
            table: "Orders",
            fields: Expression.randomFields,
            names: names ? ["Id": Self.customers] : [:]
        )
    }

    /// Handles keys; in a text, `\n` is Enter, `⎋` is Escape, `↓` is the arrow.
    private func type(_ keys: String, into editor: inout PredicateEditor) -> PredicateEditor.Outcome {
        var last = PredicateEditor.Outcome.edited
        for letter in keys.unicodeScalars {
            let key: Key =
                switch letter {
                case "\n": .enter
                case "⎋": .escape
                case "↓": .down
                case "↑": .up
                case "⌫": .control("u")
                default: .text(letter)
                }
            last = editor.handle(key, Screen.usual)
        }
        return last
    }

    @Test(
        "a condition is made step by step, and accepted",
        arguments: [
            ("aname\nbegins\nzür\ns", "Name BEGINSWITH 'zür'"), ("aname\ncont\nit's\nccs", "Name CONTAINS[d] 'it''s'"),
            ("aname\nlike\na*\ncccs", "Name LIKE[cd] 'a*'"), ("aid\n\n 7 \ns", "Id == 7"),
            ("aprice\nbetween\n1\n2.50\ns", "Price BETWEEN {1, 2.50}"),
            ("aday\n>=\n2020-01-31\ns", "Day >= 2020-01-31"),
            ("apaid\nfalse\ns", "Paid == FALSE"), ("adata\nnot null\ns", "Data IS NOT NULL"),
            ("aunit\n>\n1\naid\n\n2\ns", "[Unit Price] > 1 AND Id == 2"),
            ("aid\n\n1\nts", "Id == 1"), ("aid\n\n1\naid\n\n2\nts", "Id == 1 OR Id == 2"),
            ("aid\n\n1\naid\n\n2\ngaid\n\n3\ns", "Id == 1 AND (Id == 2 OR Id == 3)"),
            ("aid\n\n1\nns", "NOT Id == 1"), ("aid\n\n1\nnns", "Id == 1"), ("aid\n\n1\naid\n\n2\nds", "Id == 1"),
            ("aid\n\n1\naid\n\n2\nuns", "NOT Id == 1"),
            ("eId < Price OR TRUEPREDICATE\ns", "Id < Price OR TRUEPREDICATE"),
            ("asize\n\n1e-7\ns", "Size == 1e-07"),
        ]
    )
    func make(keys: String, result: String) throws {
        var editor = try editor(nil)
        guard case .accepted(let predicate?) = type(keys, into: &editor) else {
            Issue.record("not accepted: \(Screen(editor.lines(Screen.usual), Screen.usual).text)")
            return
        }
        #expect(predicate.description == result)
    }

    @Test(
        "a condition is edited",
        arguments: [
            ("Id == 1", "\n⌫9\n", "Id == 9"), ("Id == 1", "o<=\n", "Id <= 1"),
            ("Id == 1", "funit\n", "[Unit Price] == 1"),
            ("Id == 1", "fname\n⌫x\n", "Name == 'x'"), ("Name LIKE[c] 'a*'", "ocontains\n", "Name CONTAINS[c] 'a*'"),
            ("Name LIKE[c] 'a*'", "fid\n!=\n5\n", "Id != 5"), ("Id == 1", "obetween\n7\n", "Id BETWEEN {1, 7}"),
            ("Id BETWEEN {1, 7}", "\n⌫2\n\n", "Id BETWEEN {2, 7}"),
            ("NOT Paid == TRUE", "\nfalse\n", "NOT Paid == FALSE"),
            ("Id IS NULL", "n", "Id IS NOT NULL"), ("Id IS NOT NULL", "o=\n↓\n⌫4\n", "Id == 4"),
            ("Id IN {1, 2}", "\n⌫Id IN {1, 3}\n", "Id IN {1, 3}"), ("Id IN {1, 2} AND Id > 1", "d", nil),
            ("Id IN {1, 2} AND Id > 1", "↓d", "Id > 1"),
            ("Id == 1 AND (Id == 2 OR Id == 3)", "↓↓↓<", "Id == 1 AND Id == 3 AND Id == 2"),
            ("Id == 1 AND (Id == 2 OR Id == 3)", "↓>", "Id == 1 OR Id == 2 OR Id == 3"),
        ] as [(String, String, String?)]
    )
    func edit(text: String, keys: String, result: String?) throws {
        var editor = try editor(text)
        _ = type(keys, into: &editor)
        guard case .accepted(let predicate) = type("s", into: &editor) else {
            Issue.record("not accepted: \(Screen(editor.lines(Screen.usual), Screen.usual).text)")
            return
        }
        #expect(predicate?.description == result)
    }

    @Test("a predicate that was not changed is returned as it was")
    func identity() {
        var random = SeededRandom(seed: 11)
        // Each begins an edit, and ends it without another value, or takes it back.
        let edits = [
            ("e", "\n"), ("e", "⎋"), ("f", "\n"), ("f", "⎋"), ("o", "\n"), ("o", "⎋"), ("n", "u"), ("t", "t"),
            ("g", "u"),
            ("d", "u"), ("c", "u"), ("<", "u"), (">", "u"), ("?", "x"), ("aid", "⎋"),
        ]
        for _ in 0..<100 {
            let predicate = Expression.random(&random, depth: 3)
            var editor = PredicateEditor(predicate, table: "T", fields: Expression.randomFields)
            for place in editor.entries.indices {
                let isTest = editor.entries[place].part.group == nil
                for (begin, end) in edits {
                    _ = editor.handle(.home, Screen.usual)
                    _ = type(String(repeating: "↓", count: place), into: &editor)
                    if type(begin, into: &editor) == .edited { _ = type(end, into: &editor) }
                }
                _ = editor.handle(.home, Screen.usual)
                _ = type(String(repeating: "↓", count: place), into: &editor)
                if isTest { _ = type("\n", into: &editor) }
                while !editor.showsTree { _ = type("\n", into: &editor) }
            }
            #expect(editor.predicate == predicate)
            #expect(editor.handle(.text("s"), Screen.usual) == .accepted(predicate))
        }
    }

    @Test("a group around a part, and a move between groups of the same kind, select the same rows")
    func meaning() throws {
        var random = SeededRandom(seed: 12)
        let fields = Expression.randomFields.map { DataColumn($0.name, $0.type) }
        let rows = (0..<50).map { _ in Expression.randomRow(&random) }
        for _ in 0..<100 {
            let predicate = Expression.random(&random, depth: 3)
            var editor = PredicateEditor(predicate, table: "T", fields: Expression.randomFields)
            for _ in 0..<Int.random(in: 0..<8, using: &random) { _ = editor.handle(.down, Screen.usual) }
            _ = type("g", into: &editor)
            let (before, after) = (
                try CompiledPredicate(predicate, fields: fields),
                try CompiledPredicate(try #require(editor.predicate), fields: fields)
            )
            for row in rows { #expect(try before.matches(row) == after.matches(row)) }
        }
    }

    @Test("the screen shows groups, tests, other parts as text, and the whole predicate")
    func screen() throws {
        let editor = try editor("Name CONTAINS[cd] 'x' AND NOT (Id IN {1, 2} OR NOT Paid == TRUE) AND Key IS NOT NULL")
        let screen = Screen(editor.lines(Screen.usual), Screen.usual)
        #expect(
            Array(screen.text[..<7]) == [
                "Condition of Orders", "all of", "  Name contains (any case and accent) 'x'", "  NOT any of",
                "    Id IN {1, 2}", "    NOT Paid is true", "  Key is not NULL",
            ]
        )
        #expect(screen.text[22] == "Name CONTAINS[cd] 'x' AND NOT (Id IN {1, 2} OR NOT Paid == TRUE) AND Key IS NOT…")
        #expect(screen.text[23] == "Esc back  s use  Enter edit  ? keys  a add  d delete  n not  t and/or  g group")
        #expect(
            Screen(try self.editor(nil).lines(Screen.small), Screen.small).text[1] == "all rows: a adds a condition"
        )
        #expect(Screen(editor.lines(Screen.small), Screen.small).text[9] == "Esc back  s use  Enter edit  ? keys")
    }

    @Test("a value is checked while it is typed, and refused by Enter")
    func check() throws {
        var editor = try editor(nil)
        func line(_ index: Int) -> String { Screen(editor.lines(Screen.usual), Screen.usual).text[index] }
        let reason = "expected a date such as 2020-01-31 or 2020-01-31T12:00"
        _ = type("aday\n>=\n", into: &editor)
        #expect(line(1) == "Day >=" && line(2) == reason)
        _ = type("2020-02-3", into: &editor)
        #expect(line(1) == "Day >= 2020-02-3" && line(2) == reason)
        #expect(type("0\n", into: &editor) == .refused(reason))
        #expect(line(22) == reason)
        #expect(type("⌫2020-02-1", into: &editor) == .edited)
        #expect(line(2) == reason && line(22) == "")
        _ = type("0", into: &editor)
        #expect(line(1) == "Day >= 2020-02-10" && line(2) == "" && line(22) == "")
        _ = type("\n", into: &editor)
        #expect(editor.predicate?.description == "Day >= 2020-02-10")
    }

    @Test("a pattern of SQL is refused, and can be corrected")
    func refusedPattern() throws {
        var editor = try editor(nil)
        guard case .refused(let message) = type("aname\nlike\na%\n", into: &editor) else {
            Issue.record("not refused")
            return
        }
        #expect(message.contains("use * for any text"))
        _ = type("⌫a*\n", into: &editor)
        #expect(editor.predicate?.description == "Name LIKE 'a*'")
    }

    @Test(
        "a text that is no predicate for the fields is refused with the reason, and can be corrected",
        arguments: [
            ("Id ==", "expected a value or a field, found the end"), ("City == 'x'", "no field 'City'"),
            ("Id == 'x'", "expected a number without quotes"), ("", "expected a field, found the end"),
        ]
    )
    func refusedText(text: String, reason: String) throws {
        var editor = try editor("Id IN {1}")
        guard case .refused(let message) = type("e⌫\(text)\n", into: &editor) else {
            Issue.record("not refused")
            return
        }
        #expect(message.contains(reason))
        #expect(Screen(editor.lines(Screen.usual), Screen.usual).text[22].contains(reason))
        _ = type("⌫Id == 2\n", into: &editor)
        #expect(editor.predicate?.description == "Id == 2" && editor.showsTree)
    }

    @Test("the cursor is at the error of a text")
    func errorColumn() throws {
        var editor = try editor(nil)
        _ = type("eId == 1 AND X >\n", into: &editor)
        _ = type("Y", into: &editor)
        #expect(Screen(editor.lines(Screen.usual), Screen.usual).text[1] == "Id == 1 AND X >Y")
        _ = type("⌫Id ~ 1 AND X > 1\n#", into: &editor)
        #expect(Screen(editor.lines(Screen.usual), Screen.usual).text[1] == "Id #~ 1 AND X > 1")
    }

    @Test("the second value of a range is asked for with the first one")
    func range() throws {
        var editor = try editor("Price BETWEEN {1, 2}")
        _ = type("\n⌫1.50\n", into: &editor)
        #expect(Screen(editor.lines(Screen.small), Screen.small).text[1] == "Price is between 1.… 2")
        #expect(Screen(editor.lines(Screen.usual), Screen.usual).text[1] == "Price is between 1.50 and 2")
    }

    @Test("the key of a field is picked by its name, and shown with it")
    func names() throws {
        var editor = try editor("Id == 5 AND Id < 3", names: true)
        var screen = Screen(editor.lines(Screen.usual), Screen.usual).text
        #expect(screen[2] == "  Id = 5 (Grace)" && screen[3] == "  Id < 3 (Ada)")
        _ = type("↓\n", into: &editor)
        screen = Screen(editor.lines(Screen.usual), Screen.usual).text
        #expect(screen[0].hasPrefix("Id =") && screen[2] == "Ada      3" && screen[3] == "Grace    5")
        // The key that it has is selected, and NULL is no key to compare with.
        #expect(type("\n", into: &editor) == .edited)
        #expect(editor.predicate?.description == "Id == 5 AND Id < 3")
        #expect(type("\nnothing\n", into: &editor) == .refused("this key cannot be compared"))
        #expect(type("⌫ada\n", into: &editor) == .edited)
        #expect(editor.predicate?.description == "Id == 3 AND Id < 3")
        // A comparison of order is typed.
        #expect(type("↓\n⌫4\n", into: &editor) == .edited)
        #expect(editor.predicate?.description == "Id == 3 AND Id < 4")
    }

    @Test(
        "a key without effect names the reason",
        arguments: [
            (nil, "d", "no condition yet: a adds one"), ("Id == 1", "u", "nothing to undo"),
            ("Id == 1", "t", "in no group"),
            ("Id == 1", "<", "not in a group within a group"), ("Id == 1", ">", "no group next to it"),
            ("Id == 1", "c", "only tests of text ignore case or accents"),
            ("Id IN {1}", "f", "no test of a field: e edits it as text"),
        ]
    )
    func refused(text: String?, keys: String, reason: String) throws {
        var editor = try editor(text)
        #expect(type(keys, into: &editor) == .refused(reason))
        #expect(Screen(editor.lines(Screen.usual), Screen.usual).text[22] == reason)
        #expect(type("s", into: &editor) == .accepted(try text.map { try Expression(predicate: $0) }))
    }

    @Test("levels and parts are limited")
    func limits() throws {
        var editor = try editor("Id == 1")
        #expect(type(String(repeating: "g", count: 64), into: &editor) == .edited)
        #expect(type("g", into: &editor) == .refused("more than 64 levels"))
        let many = try self.editor("Id == 1" + String(repeating: " AND Id == 1", count: 498))
        editor = many
        #expect(type("aid\n\n1\n", into: &editor) == .refused("more than 500 parts"))
        // The value is still there, and can be left.
        #expect(type("⎋s", into: &editor) == .accepted(many.predicate))
    }

    @Test("a click selects a part, and edits the selected one")
    func click() throws {
        var editor = try editor("Id == 1 AND Id == 2")
        _ = editor.handle(.click(column: 0, line: 3), Screen.usual)
        #expect(editor.cursor.selected == 2 && editor.showsTree)
        _ = editor.handle(.click(column: 0, line: 9), Screen.usual)
        _ = editor.handle(.click(column: 0, line: 3), Screen.usual)
        #expect(!editor.showsTree)
    }

    @Test("Escape leads back, and out of the tree; Ctrl-C too")
    func leave() throws {
        for begin in ["a", "f", "o", "e", "\n", "?"] {
            var editor = try editor("Id == 1")
            _ = type(begin, into: &editor)
            #expect(!editor.showsTree)
            #expect(editor.handle(.control("c"), Screen.usual) == .edited)
            #expect(editor.showsTree)
            #expect(editor.handle(.control("c"), Screen.usual) == .cancelled)
        }
    }

    @Test("every screen fits every size, with hostile names", arguments: Screen.sizes)
    func sizes(size: ScreenSize) {
        let fields = Screen.hostile.map { EditableField($0, .wideString) }
        let tests = Screen.hostile.map { Expression.comparison($0, .equal, .value(.text($0)), [.ignoresCase]) }
        let predicate = tests.reduce(Expression.and(tests)) { .or([.not($0), $1]) }
        for hostile in Screen.hostile {
            let names = [hostile: [NamedKey(.text(hostile), hostile)]]
            for keys in [[], [.text("f")], [.text("o")], [.text("e")], [.text("?")], [.enter], [.end, .enter]]
                as [[Key]]
            {
                var editor = PredicateEditor(predicate, table: hostile, fields: fields, names: names)
                for key in [.end] + keys { _ = editor.handle(key, size) }
                #expect(Screen(editor.lines(size), size).faults == [], "\(keys)")
            }
        }
    }
}
