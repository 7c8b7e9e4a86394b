// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("Statements in a text")
struct StatementSplitterTests {
    @Test(
        "semicolons outside of quotes and comments end statements",
        arguments: [
            ("select 1; select 2", ["select 1", "select 2"]), ("", []), (" ;; ;\n", []),
            ("select ';'; select \";\"", ["select ';'", "select \";\""]),
            ("select 'it''s; one';x", ["select 'it''s; one'", "x"]), ("select [a;b];", ["select [a;b]"]),
            ("select `;`", ["select `;`"]), ("-- one; two\nselect 1;", ["select 1"]),
            ("select 1 -- one; two", ["select 1"]), ("/* ; */ select 1; -- end", ["select 1"]),
            ("select/* ; ' */1;select 2", ["select 1", "select 2"]), ("select '--'; 2", ["select '--'", "2"]),
            ("select 4/2 - -1", ["select 4/2 - -1"]), ("select '/*'; 2 */ 3", ["select '/*'", "2 */ 3"]),
            ("/*/ ; */ 1", ["1"]), ("  a\r\nb  ;", ["a\r\nb"]), ("select 'open; end", ["select 'open; end"]),
        ]
    )
    func statements(_ text: String, _ statements: [String]) {
        var whole = StatementSplitter()
        #expect(whole.add(text) + [whole.finish()].compactMap(\.self) == statements)
        // The same in pieces of one character.
        var pieces = StatementSplitter()
        #expect(text.flatMap { pieces.add(String($0)) } + [pieces.finish()].compactMap(\.self) == statements)
    }

    @Test("an open statement is known")
    func open() {
        var splitter = StatementSplitter()
        for (text, isInside) in [(" \n", false), ("select", true), (" 1; ", false), ("/* a", true), ("*/", false)] {
            _ = splitter.add(text)
            #expect(splitter.isInside == isInside, "\(text)")
        }
    }
}

@Suite("Arguments of commands about data")
struct DataArgumentTests {
    @Test("orders, parameters and tables are read as typed")
    func arguments() throws {
        let order = try #require(SortOrder(argument: "a,-b"))
        #expect(order.fields == ["a", "-b"])
        for text in ["", "a,", "-", "a,,b"] { #expect(SortOrder(argument: text) == nil) }
        let typed = try #require(NamedValue(argument: "p:int64=a=b:c")?.parameter)
        #expect(typed.name == "p" && typed.type == "int64" && typed.text == "a=b:c")
        #expect(NamedValue(argument: "p=")?.parameter.text == "")
        for text in ["p", "=1", "p:=1", ":t=1"] { #expect(NamedValue(argument: text) == nil) }
        let table = try #require(NamedTable(argument: "c=my:server:Clients"))
        #expect(table.alias == "c" && table.reference.endpoint == "my:server" && table.reference.table == "Clients")
        for text in ["c=office", "=office:T", "c=:T", "c=office:"] { #expect(NamedTable(argument: text) == nil) }
    }
}
