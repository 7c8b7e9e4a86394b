// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens
import TestSupport
import Testing

@testable import TableBrowser

@Suite("Random keys")
struct RandomWalkTests {
    private static let keys = 10_000
    /// Screens are drawn after some of the keys, because drawing takes most of the time.
    private static let shown = 40

    @Test(
        "the predicate editor survives 10,000 keys, its lines fit, its predicate fits the fields, and Escape leaves it"
    )
    func predicateEditor() throws {
        var random = SeededRandom(seed: 22)
        let fields = Expression.randomFields + Screen.hostile.map { EditableField($0, .wideString) }
        let columns = fields.map { DataColumn($0.name, $0.type) }
        let names = ["Id": Screen.hostile.enumerated().map { NamedKey(.integer(Int64($0)), $1) }]
        func new() -> PredicateEditor {
            let predicate = Bool.random(using: &random) ? nil : Expression.random(&random, depth: 3)
            return PredicateEditor(predicate, table: Screen.hostile[0], fields: fields, names: names)
        }
        var editor = new()
        var seen: Set<Expression> = []
        for count in 0..<Self.keys {
            let size = Screen.sizes[count / 500 % Screen.sizes.count]
            var key = Key.random(&random, size)
            // More of the keys that end the edit of a part, because random letters are seldom a value.
            if !editor.showsTree, Bool.random(using: &random) {
                key = [.escape, .enter, .enter, .text("7")].randomElement(using: &random) ?? key
            }
            if editor.showsTree, key == .escape, Int.random(in: 0..<4, using: &random) > 0 { key = .text("a") }
            switch editor.handle(key, size) {
            case .accepted(let predicate):
                #expect(predicate == editor.predicate)
                if Int.random(in: 0..<10, using: &random) == 0 { editor = new() }
            case .cancelled: editor = new()
            case .refused(let reason): #expect(!reason.isEmpty)
            case .edited: break
            }
            if let predicate = editor.predicate, seen.insert(predicate).inserted {
                _ = try CompiledPredicate(predicate, fields: columns)
            }
            if count % Self.shown == 0 { #expect(Screen(editor.lines(size), size).faults == []) }
        }
        #expect(seen.count > 100)
        if editor.handle(.escape, Screen.usual) != .cancelled {
            #expect(editor.handle(.escape, Screen.usual) == .cancelled)
        }
    }
}
