// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import TestSupport
import Testing

@testable import TableBrowser

@Suite("The parts of a predicate")
struct PredicateTreeTests {
    private func tree(_ text: String) throws -> PredicateTree { PredicateTree(try Expression(predicate: text)) }

    @Test("the parts are in the order of the text, each group before its parts")
    func entries() throws {
        let entries = try tree("A = 1 AND NOT (B = 2 OR NOT C IS NULL) AND D = 4").entries
        #expect(entries.map(\.path) == [[], [0], [1], [1, 0], [1, 1], [2]])
        #expect(entries.map { $0.part.negations } == [0, 0, 1, 0, 1, 0])
        #expect(PredicateTree(.and([])).entries.count == 1)
        #expect(PredicateTree(nil).entries.isEmpty)
    }

    @Test(
        "a part is added at the end of a group, and after a test",
        arguments: [
            ("A = 1", [], "A == 1 AND X == 0", [1]), ("A = 1 OR B = 2", [], "A == 1 OR B == 2 OR X == 0", [2]),
            ("A = 1 OR B = 2", [0], "A == 1 OR X == 0 OR B == 2", [1]),
            ("NOT (A = 1 OR B = 2)", [], "NOT (A == 1 OR B == 2 OR X == 0)", [2]),
            ("A = 1 AND NOT (B = 2 OR C = 3)", [1, 0], "A == 1 AND NOT (B == 2 OR X == 0 OR C == 3)", [1, 1]),
        ]
    )
    func add(text: String, path: [Int], result: String, newPath: [Int]) throws {
        var tree = try tree(text)
        #expect(tree.add(try Expression(predicate: "X = 0"), at: path) == newPath)
        #expect(tree.root?.description == result)
        #expect(tree[newPath]?.description == "X == 0")
    }

    @Test("a group without parts is removed, and the last part leaves nothing")
    func remove() throws {
        var tree = try tree("A = 1 AND NOT (B = 2 OR C = 3)")
        tree.remove([1, 0])
        #expect(tree.root?.description == "A == 1 AND NOT C == 3")
        tree.remove([1, 0])
        #expect(tree.root == .and([try Expression(predicate: "A = 1")]))
        tree.remove([0])
        #expect(tree.root == nil)
    }

    @Test(
        "a part moves out of its group to the place after it",
        arguments: [
            ("A = 1 AND NOT (B = 2 OR C = 3) AND D = 4", [1, 0], "A == 1 AND NOT C == 3 AND B == 2 AND D == 4", [2]),
            ("(A = 1 AND (A = 1 OR A = 1)) OR B = 2", [0, 1, 0], "A == 1 AND A == 1 AND A == 1 OR B == 2", [0, 2]),
        ]
    )
    func moveOut(text: String, path: [Int], result: String, newPath: [Int]) throws {
        var tree = try tree(text)
        #expect(tree.moveOut(path) == newPath)
        #expect(tree.root?.description == result)
    }

    @Test("the only part of a group takes the place of the group, and a part of the outermost group stays")
    func moveOutLast() throws {
        let part = try Expression(predicate: "A = 1")
        var tree = PredicateTree(.or([.and([part]), part]))
        #expect(tree.moveOut([0, 0]) == [0])
        #expect(tree.root == .or([part, part]))
        #expect(tree.moveOut([0]) == nil)
        #expect(tree.moveOut([]) == nil)
    }

    @Test(
        "a part moves into the group before it, otherwise into the one after it",
        arguments: [
            (
                "(A = 1 OR B = 2) AND C = 3 AND (D = 4 OR E = 5)", [1],
                "(A == 1 OR B == 2 OR C == 3) AND (D == 4 OR E == 5)", [0, 2]
            ),
            ("C = 3 AND NOT (D = 4 OR E = 5)", [0], "NOT (C == 3 OR D == 4 OR E == 5)", [0, 0]),
        ]
    )
    func moveIn(text: String, path: [Int], result: String, newPath: [Int]) throws {
        var tree = try tree(text)
        #expect(tree.moveIn(path) == newPath)
        #expect(tree.root?.description == result)
        #expect(tree.moveIn(newPath) == nil)
    }

    @Test("a part that has the form of a template is the same in this form")
    func rows() {
        var random = SeededRandom(seed: 7)
        var shown: Set<PredicateTemplate> = []
        for _ in 0..<2_000 {
            for entry in PredicateTree(Expression.random(&random, depth: 3)).entries where entry.part.group == nil {
                guard let row = PredicateRow(entry.part, Expression.randomFields) else { continue }
                shown.insert(row.template)
                #expect(row.predicate == entry.part)
            }
        }
        #expect(shown == Set(Expression.randomFields.flatMap { PredicateTemplate.templates(for: $0.type) }))
    }

    @Test(
        "other parts have none",
        arguments: [
            "Id IN {1, 2}", "Id < Price", "Name > 'a'", "Id == TRUE", "Id == 1.5", "Day == '2020-01-31'", "Other = 1",
            "Data == 1", "TRUEPREDICATE", "Key == 'x'", "Paid == 1", "Paid == TRUE AND Paid == FALSE",
        ]
    )
    func noRow(text: String) throws {
        #expect(PredicateRow(try Expression(predicate: text), Expression.randomFields) == nil)
    }
}
