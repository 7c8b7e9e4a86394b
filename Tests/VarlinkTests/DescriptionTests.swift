// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite("Interface description")
struct DescriptionTests {
    @Test("every construct of the language is parsed")
    func everything() throws {
        let description = try VarlinkDescription(
            parsing: """
                # Not about the interface.

                # Prints.
                # Twice.
                interface com.example.print-2

                type Paper (size: (a4, letter), weight: ?int)
                # Prints a page.
                method Print(pages: []Paper, options: [string]?string, tags: [string](), any: any) -> (job: int)
                method Stop()->() # now
                error Jam (where: (tray: int, deep: (a: bool, b: float, c: object)))
                """
        )
        #expect(description.name == "com.example.print-2")
        #expect(description.documentation == "Prints.\nTwice.")
        #expect(description.methods.map(\.name) == ["Print", "Stop"])
        #expect(description.methods[0].documentation == "Prints a page.")
        #expect(
            description.methods[0].input == [
                VarlinkField(name: "pages", type: .array(.named("Paper"))),
                VarlinkField(name: "options", type: .map(.maybe(.string))),
                VarlinkField(name: "tags", type: .map(.struct([]))),
                VarlinkField(name: "any", type: .any),
            ]
        )
        #expect(description.methods[1].output == [])
        let paper = VarlinkType.struct([
            VarlinkField(name: "size", type: .enum(["a4", "letter"])),
            VarlinkField(name: "weight", type: .maybe(.int)),
        ])
        #expect(description.types.map(\.type) == [paper])
        #expect(description.errors.map(\.name) == ["Jam"])
    }

    @Test("a comment belongs only to the member below it")
    func members() throws {
        let description = try VarlinkDescription(
            parsing: """
                interface a.b
                # A type.
                type T (
                  # Of a.
                  # Two lines.
                  a: int,
                  b: (
                    # Of c.
                    c: int
                  ),
                  # Of nothing.

                  d: int # Behind.
                )
                """
        )
        guard case .struct(let fields) = description.types[0].type, case .struct(let inner) = fields[1].type else {
            Issue.record("no structs")
            return
        }
        #expect(description.types[0].documentation == "A type.")
        #expect(fields.map(\.documentation) == ["Of a.\nTwo lines.", "", ""])
        #expect(inner.map(\.documentation) == ["Of c."])
    }

    @Test(
        "other constructs are refused",
        arguments: [
            ("", 1), ("interface", 1), ("interface a", 1), ("interface 1.a", 1), ("interface a..b", 1),
            ("interface a.b-", 1), ("interface a.b\nfoo", 2), ("interface a.b\nmethod m() -> ()", 2),
            ("interface a.b\nmethod M()", 2), ("interface a.b\nmethod M() -> (a: Missing)", 2),
            ("interface a.b\nmethod M() -> (a: int, a: int)", 2), ("interface a.b\nmethod M() -> (a, b)", 2),
            ("interface a.b\ntype T (a: int, b)", 2), ("interface a.b\ntype T (a, b: int)", 2),
            ("interface a.b\ntype T (a: ??int)", 2), ("interface a.b\ntype T (a: [int]string)", 2),
            ("interface a.b\ntype T ()\nerror T ()", 3), ("interface a.b\nmethod M() -> ()\nmethod M() -> ()", 3),
            ("interface a.b\ntype T (a: int", 2), ("interface a.b\ntype T (a_: int)", 2),
            ("interface a.b\ntype T " + String(repeating: "(a:", count: 100_000), 2),
            ("interface a.b\ntype T (a:" + String(repeating: "[]", count: 100_000), 2),
        ]
    )
    func refused(text: String, line: Int) throws {
        let error = try #require(throws: VarlinkDescriptionError.self) { try VarlinkDescription(parsing: text) }
        #expect(error.line == line)
    }

    @Test("a text longer than a mebibyte is refused")
    func tooLong() {
        let text = "interface a.b\n" + String(repeating: "#", count: 1 << 20)
        #expect(throws: VarlinkDescriptionError.self) { try VarlinkDescription(parsing: text) }
    }
}
