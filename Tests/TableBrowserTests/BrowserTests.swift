// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens
import TestSupport
import Testing

@testable import TableBrowser

@Suite("The terminal view of tables")
struct BrowserTests {
    @Test("the rows are a grid with widths of their content, texts are escaped")
    func rows() async throws {
        let shop = try await Shop { $0.table = "Clients" }
        #expect(
            shop.screen() == [
                "Clients  1/4", "    Id  Name          City  Since                Note",
                ">    1  Ada           Ulm   2019-03-01T00:00:00  first line\\u{A…",
                "     2  Bob\\u{1B}[2J  Bonn  2020-07-15T00:00:00  NULL",
                "     3  山田 太郎     東京  NULL                 NULL",
                "     4  Cyd           NULL  2021-12-31T00:00:00  NULL",
                "", "", "", "", "", "", "Id: 1", "q quit  ? help  Esc back  / find  s sort  e edit  a apply",
            ]
        )
    }

    @Test("the list of tables is filtered as it is typed, and shows what was read; F1 shows the keys")
    func tables() async throws {
        var shop = try await Shop()
        #expect(shop.screen()[0] == "shop  3 tables")
        try await shop.type("ord")
        #expect(shop.screen()[0] == "shop  2 of 3 tables  with 'ord'" && shop.screen()[1].hasPrefix("> OrderDetails "))
        try await shop.press(.escape, .function(1))
        #expect(shop.screen()[0] == "Keys")
        try await shop.press(.escape, .enter, .escape)
        #expect(shop.screen()[0] == "shop  3 tables" && shop.screen()[1].contains("4 rows, 6 fields"))
    }

    @Test("a read-only view says so, and refuses edits with the reason")
    func readOnly() async throws {
        var shop = try await Shop { ($0.table, $0.isReadOnly) = ("Clients", true) }
        #expect(shop.screen()[0] == "Clients  1/4  read-only")
        try await shop.press(.enter, .down, .text("e"))
        #expect(shop.screen()[0] == "Clients  1/4  read-only")
        #expect(shop.screen()[12] == "read-only: the view was opened without editing")
    }

    /// The rows of the grid, from its headings to the first empty line.
    private func grid(_ shop: Shop) -> [String] { Array(shop.screen().dropFirst().prefix { !$0.isEmpty }) }

    @Test("s and S sort by fields, and a click on a heading does")
    func sort() async throws {
        var shop = try await Shop { $0.table = "Orders" }
        try await shop.type("lls")
        #expect(grid(shop)[0] == "    Id  Client  Date ^                 Total  Paid")
        #expect(shop.screen()[0] == "Orders  1/5")
        try await shop.type("s")
        #expect(grid(shop)[1] == "    14       2  2024-05-05T00:00:00  62.5000  false")
        #expect(grid(shop)[0].hasPrefix("    Id  Client  Date v") && shop.screen()[0] == "Orders  5/5")
        try await shop.type("hS")
        #expect(grid(shop)[0] == "    Id  Client ^2  Date v1                Total  Paid")
        try await shop.type("s")
        #expect(grid(shop)[0].hasPrefix("    Id  Client v  Date"))
        try await shop.press(.click(column: 5, line: 1), .click(column: 5, line: 1), .click(column: 40, line: 3))
        #expect(grid(shop)[0].hasPrefix("    Id v  Client"))
        #expect(shop.screen()[0] == "Orders  2/5" && shop.screen()[12] == "Total: 50.0000")
    }

    @Test("a table is opened in the order of the command line, at its first row")
    func order() async throws {
        let order = [FieldOrder("Client", isDescending: true), FieldOrder("Id")]
        var shop = try await Shop { ($0.table, $0.order) = ("Orders", order) }
        #expect(
            grid(shop)[...1] == [
                "    Id ^2  Client v1  Date                   Total  Paid",
                ">      13          2  2024-05-04T00:00:00  50.0000  false",
            ]
        )
        shop = try await Shop { ($0.table, $0.order) = ("Orders", [FieldOrder("Totl")]) }
        #expect(
            shop.screen()[0] == "Orders  1/5" && shop.screen()[12] == "no field \"Totl\"; the nearest one is \"Total\""
        )
    }

    @Test("/ finds a part of a text, a number, and a date; F takes a condition as text, checked as it is typed")
    func filter() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        for (text, found) in [
            ("bo", 1), ("LINE", 1), ("3", 1), ("2019", 1), ("2020-07", 1), ("2021-12-31", 1), ("z", 0),
        ] {
            try await shop.type("/" + text)
            #expect(shop.screen()[0].hasPrefix("Clients  \(min(found, 1))/\(found)  with '\(text)'"))
            #expect(shop.screen()[13] == "find: \(text)")
            try await shop.press(.escape)
        }
        #expect(shop.screen()[0] == "Clients  1/4")
        try await shop.type("/bo\n".filter { $0 != "\n" })
        try await shop.press(.enter)
        #expect(shop.screen()[0] == "Clients  1/1  with 'bo'")
        try await shop.press(.escape)
        try await shop.type("FId >")
        #expect(shop.screen()[12].hasPrefix("invalid predicate at column 5"))
        try await shop.press(.enter)
        try await shop.type(" 2")
        try await shop.press(.enter)
        #expect(shop.screen()[0] == "Clients  2/2  filter: Id > 2")
        // The server gets the condition.
        try await shop.type("R")
        #expect(shop.screen()[0] == "Clients  2/2  read: Id > 2")
        try await shop.type("R")
        #expect(shop.screen()[0] == "Clients  4/4")
        try await shop.type("f")
        #expect(shop.screen()[0].contains("Clients"))
        try await shop.press(.escape)
        #expect(shop.screen()[0] == "Clients  4/4")
    }

    @Test("the form edits a row, a value is checked while it is typed, changes are marked and undone")
    func form() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        try await shop.press(.enter)
        #expect(
            shop.screen()[..<8] == [
                "Clients  1/4", "> Id     1", "  Name   Ada", "  City   Ulm", "  Since  2019-03-01T00:00:00",
                "  Note   first line", "         second line", "  Photo  NULL",
            ]
        )
        for key in ["e", "n"] {
            try await shop.type(key)
            #expect(shop.screen()[12] == "the server makes the values of field 'Id'")
        }
        try await shop.press(.down, .down, .down, .enter, .control("u"))
        try await shop.type("2019-02-30")
        #expect(shop.screen()[12] == "expected a date such as 2020-01-31 or 2020-01-31T12:00:00")
        #expect(shop.screen()[13] == "Since: 2019-02-30")
        try await shop.press(.enter, .backspace, .backspace)
        try await shop.type("28")
        #expect(shop.screen()[12] == "")
        try await shop.press(.enter, .up, .control("n"))
        #expect(
            shop.screen()[..<5] == [
                "Clients  1/4  changed", "  Id     1", "  Name   Ada", ">*City   NULL", " *Since  2019-02-28T00:00:00",
            ]
        )
        try await shop.press(.escape)
        #expect(grid(shop)[1] == ">*   1  Ada           NULL  2019-02-28T00:00:00  first line\\u{A…")
        #expect(shop.screen()[0] == "Clients  1/4  1 pending")
        try await shop.press(.down, .text("d"))
        #expect(grid(shop)[2].hasPrefix(">-   2  Bob"))
        try await shop.type("e")
        #expect(shop.screen()[12] == "the row is deleted: u restores it")
        try await shop.press(.escape, .text("u"), .up, .text("u"))
        #expect(grid(shop)[1].hasPrefix(">    1  Ada           Ulm ") && shop.screen()[0] == "Clients  1/4")
        #expect(shop.sent.isEmpty)
    }

    @Test("a Boolean and a field with names are picked from a list")
    func picks() async throws {
        var shop = try await Shop { $0.table = "Orders" }
        try await shop.type("le")
        #expect(shop.screen()[0].hasPrefix("Client") && shop.screen()[2] == "Ada           1")
        try await shop.type("cyd")
        try await shop.press(.enter)
        #expect(shop.screen()[2] == ">*Client  4")
        try await shop.press(.end, .enter, .down, .enter)
        #expect(shop.screen()[5] == ">*Paid    false")
    }

    @Test("details are shown below the row, and new ones refer to a new master; both are applied together")
    func details() async throws {
        var shop = try await Shop(ScreenSize(columns: 64, lines: 16)) { $0.table = "Clients" }
        try await shop.type("m")
        #expect(
            shop.screen()[1...5].map { $0.prefix(8) } == ["    Id  ", "> ▸  1  ", "  ▸  2  ", "     3  ", "     4  "]
        )
        #expect(shop.screen()[8].hasPrefix("--- Orders  1/3 ---"))
        #expect(shop.screen()[10] == ">   10       1  2024-05-01T00:00:00  12.5000  true")
        try await shop.press(.down, .down)
        #expect(shop.screen()[8].hasPrefix("--- Orders  0/0") && shop.screen()[10] == "    no rows")
        // A new client with a new order, with a new detail of that.
        try await shop.type("i")
        try await shop.press(.home, .down, .enter)
        try await shop.type("Dee")
        try await shop.press(.enter, .text("s"), .tab)
        try await shop.type("is")
        #expect(shop.screen()[10].hasPrefix(">+  -1      -1"))
        try await shop.type("m")
        #expect(shop.screen()[0].hasPrefix("Orders  1/1") && shop.screen()[8].hasPrefix("--- OrderDetails  0/0"))
        try await shop.press(.tab)
        try await shop.type("is")
        try await shop.type("a")
        #expect(
            shop.screen().prefix(4) == ["apply 3 changes?", "Clients: 1 new", "Orders: 1 new", "OrderDetails: 1 new"]
        )
        #expect(shop.screen()[15] == "y send the changes  n back")
        #expect(shop.sent.isEmpty)
        try await shop.type("y")
        #expect(
            shop.sent.count == 1 && shop.sent[0].changes.tables.map(\.name) == ["Clients", "Orders", "OrderDetails"]
        )
        #expect(shop.screen()[0] == "apply" && shop.screen().contains("3 of 3 changes applied"))
        try await shop.press(.escape, .escape, .escape)
        #expect(shop.screen()[0] == "Clients  5/5")
    }

    @Test("rejected changes stay, with the server's message; a conflict is overwritten only after two questions")
    func refusals() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        try await shop.press(.text("l"), .text("e"), .text("x"), .enter, .escape)
        shop.rejection = "no \u{1B}[2J"
        try await shop.type("ay")
        #expect(shop.screen()[1] == "the server refused all changes: no \\u{1B}[2J")
        try await shop.press(.escape)
        #expect(shop.screen()[0] == "Clients  1/4  1 pending")
        // Another client changes the row.
        shop.rejection = nil
        var table = try #require(shop.tables["Clients"])
        try table.set("Name", of: RowID(0), to: .text("Zoe"))
        let rows = try TableViewModel(table).encodedRows(in: 0..<4)
        shop.tables["Clients"] = try EditableTable(name: "Clients", fields: table.fields, rows: [rows])
        try await shop.type("ay")
        #expect(
            shop.screen()[2...4] == [
                "! Clients Id=1: conflict", "    another client changed the row",
                "    Name: was Ada, here Adax, server Zoe",
            ]
        )
        #expect(shop.screen()[13] == "Esc back  f overwrite  r review the rest")
        try await shop.type("f")
        #expect(shop.sent.count == 2)
        try await shop.type("y")
        #expect(shop.sent.count == 3 && shop.sent[2].isForced)
        #expect(shop.screen()[0] == "Clients  1/4" && shop.screen()[12] == "1 change applied")
    }

    @Test("after a lost reply nothing is edited or sent before the user has decided")
    func unknownOutcome() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        try await shop.press(.text("l"), .text("e"), .text("x"), .enter, .escape)
        shop.rejection = "lost"
        try await shop.type("ay")
        #expect(shop.screen()[0] == "outcome unknown" && shop.screen()[3] == "? Clients Id=1: outcome unknown")
        try await shop.press(.escape)
        for key in ["d", "r"] {
            try await shop.type(key)
            #expect(shop.screen()[12] == "the outcome of the last apply is unknown: press a")
        }
        try await shop.type("av")
        #expect(shop.screen()[3] == "? Clients Id=1: was not made: the row has the old values")
        try await shop.type("t")
        #expect(shop.screen()[0] == "Clients  1/4  1 pending" && shop.sent.count == 1)
    }

    @Test("leaving with pending changes asks, a second Ctrl-C does not")
    func leaving() async throws {
        var shop = try await Shop { ($0.table, $0.hasServerList) = ("Clients", true) }
        try await shop.type("dq")
        #expect(shop.screen()[13] == "drop 1 pending change?  y leave  n stay")
        try await shop.type("n")
        #expect(shop.ends.isEmpty)
        try await shop.press(.escape, .escape)
        #expect(shop.ends.isEmpty)
        try await shop.type("y")
        try await shop.press(.control("c"))
        #expect(shop.ends == [.servers])
        try await shop.press(.control("c"))
        #expect(shop.ends == [.servers, .quit])
    }

    @Test("a reload keeps pending changes and shows conflicts")
    func reload() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        try await shop.press(.text("l"), .text("e"), .text("x"), .enter, .escape)
        var table = try #require(shop.tables["Clients"])
        try table.set("Name", of: RowID(0), to: .text("Zoe"))
        let rows = try TableViewModel(table).encodedRows(in: 0..<4)
        shop.tables["Clients"] = try EditableTable(name: "Clients", fields: table.fields, rows: [rows])
        try await shop.type("r")
        #expect(shop.screen()[0] == "1 conflict with pending changes")
        try await shop.press(.escape)
        #expect(grid(shop)[1].hasPrefix(">*   1  Adax"))
    }

    @Test("the name of an export shows its format, and a file that exists is replaced after a question")
    func export() async throws {
        var shop = try await Shop(ScreenSize(columns: 100, lines: 14)) { $0.table = "Clients" }
        try await shop.type("wout.")
        #expect(shop.screen()[12] == "")
        try await shop.type("xlsx")
        #expect(shop.screen()[12].hasPrefix("the name ends with .csv, .tsv, .json, .jsonl, .ndjson, "))
        try await shop.press(.backspace, .backspace, .backspace, .backspace, .text("c"), .text("s"), .text("v"), .enter)
        #expect(shop.screen()[12] == "4 rows written to out.csv")
        shop.existing = "out"
        for (answer, words) in [("n", "Id: 1"), ("y", "4 rows written to out")] {
            try await shop.type("wout")
            try await shop.press(.enter)
            #expect(shop.screen()[13] == "out exists: replace it?  y replace  n back")
            try await shop.type(answer)
            #expect(shop.screen()[12] == words)
        }
    }

    @Test("rows have the colours of the first rule that matches")
    func colors() async throws {
        let rules = try ["Id > 2=red", "Id > 1=/yellow", "Nothing == 1=green"].map { try ColorRule(parsing: $0) }
        let shop = try await Shop { ($0.table, $0.colors) = ("Clients", rules) }
        #expect(shop.screen()[12].hasPrefix("colour rule 3 is not applied: no field 'Nothing'"))
        let styles = shop.browser.lines[2...5].map { $0.pieces.last?.style }
        #expect(styles.map { $0?.text } == [nil, nil, .red, .red])
        #expect(styles.map { $0?.background } == [nil, .yellow, nil, nil])
    }

    @Test("a new row that pending rows refer to is not dropped before them")
    func masterOfPending() async throws {
        var shop = try await Shop(ScreenSize(columns: 64, lines: 16)) { $0.table = "Clients" }
        try await shop.type("misn")
        try await shop.press(.tab)
        try await shop.type("is")
        try await shop.press(.tab)
        for key in ["u", "d"] {
            try await shop.type(key)
            #expect(shop.screen()[14] == "pending rows of Orders refer to this one: drop them first")
            #expect(shop.screen()[0] == "Clients  2/5  1 pending")
        }
        try await shop.press(.tab, .text("d"), .tab, .text("u"))
        #expect(shop.screen()[0] == "Clients  2/4")
    }

    @Test("a key is typed if the names cannot be read, or not all of them")
    func withoutNames() async throws {
        var shop = try await Shop { $0.table = "Orders" }
        shop.tables["Clients"] = nil
        try await shop.type("le")
        #expect(shop.screen()[12] == "no table \\u{1B}" && shop.screen()[13] == "Client: 1")
        shop = try await Shop { ($0.table, $0.limit) = ("Orders", 2) }
        #expect(
            shop.screen()[0] == "Orders  1/2  cut at 2 rows" && shop.screen()[12] == "only the first 2 rows were read"
        )
        try await shop.type("le")
        #expect(shop.screen()[13] == "Client: 1")
    }

    @Test("a row of the form is not taken for another one when the table is read again")
    func formOfReloaded() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        _ = try await shop.press(.enter)
        guard case .load(let table, let predicate, let limit) = shop.actions.last else { return }
        // The reading ends after the form was opened.
        var browser = shop.browser
        _ = browser.handle(.key(.escape))
        _ = browser.handle(.key(.text("r")))
        _ = browser.handle(.key(.enter))
        #expect(browser.form != nil && table == "Clients" && predicate == nil && limit == nil)
        _ = browser.handle(.loaded(try #require(shop.tables["Clients"]), isCut: false))
        #expect(browser.form == nil)
        // The form of a new row stays.
        browser = shop.browser
        for key: Key in [.escape, .text("r"), .text("i")] { _ = browser.handle(.key(key)) }
        #expect(browser.form?.isNew == true)
        _ = browser.handle(.loaded(try #require(shop.tables["Clients"]), isCut: false))
        #expect(browser.form?.isNew == true)
    }

    @Test("names, values and messages of a server fit any screen", arguments: Screen.sizes)
    func hostile(size: ScreenSize) async throws {
        let fields = Screen.hostile.enumerated().map { EditableField("\($1)\($0)", $0 == 0 ? .autoInc : .wideMemo) }
        var keyed = fields
        keyed[0].isInPrimaryKey = true
        var rows = try DataTable(name: Screen.hostile[0], columns: fields.map { DataColumn($0.name, $0.type) })
        for row in 0..<40 { try rows.append([.integer(Int64(row))] + Screen.hostile.dropFirst().map { .text($0) }) }
        let table = try EditableTable(name: Screen.hostile[0], fields: keyed, rows: [rows.rows])
        var settings = Browser.Settings(server: Screen.hostile[1])
        settings.table = table.name
        var browser = Browser(settings, size: size)
        _ = browser.start()
        _ = browser.handle(.schema(nil, tables: Screen.hostile))
        let begin = browser.lines
        _ = browser.handle(.loaded(table, isCut: true))
        var screens = [begin, browser.lines]
        let keys: [Key] =
            [.down, .end, .right, .right, .text("s"), .text("S"), .enter, .end, .enter, .text("x"), .enter, .escape]
            + Key.typing("ddu?") + [.end, .escape] + Key.typing("ie") + [.enter, .escape, .text("y")]
            + Key.typing("/漢") + [.enter, .escape, .text("a"), .end, .escape, .text("f"), .escape, .escape]
        for key in keys {
            _ = browser.handle(.key(key))
            screens.append(browser.lines)
        }
        _ = browser.handle(.failed(.cancel, message: Screen.hostile.joined()))
        screens.append(browser.lines)
        for screen in screens { #expect(Screen(screen, size).faults == []) }
    }

    @Test("a table that has other fields when it is read again is shown with them")
    func otherFields() async throws {
        let rules = [try ColorRule(parsing: "Id > 2=red")]
        var shop = try await Shop { ($0.table, $0.colors) = ("Clients", rules) }
        try await shop.type("m/bo")
        try await shop.press(.enter)
        let columns = [DataColumn("Name", .wideString), DataColumn("Id", .integer)]
        var table = try DataTable(name: "Clients", columns: columns)
        try table.append([.text("Eve"), .integer(3)])
        shop.tables["Clients"] = try EditableTable(table)
        try await shop.type("r")
        #expect(shop.screen()[0...2] == ["Clients  1/1", "    Name  Id", ">   Eve    3"])
        #expect(shop.browser.lines[2].pieces.last?.style.text == .red)
    }

    @Test("the mouse chooses a row of the details, sorts them, and its wheel moves the cursor")
    func mouse() async throws {
        var shop = try await Shop(ScreenSize(columns: 64, lines: 16)) { $0.table = "Clients" }
        try await shop.type("m")
        try await shop.press(.click(column: 40, line: 12))
        #expect(shop.screen()[8].hasPrefix("--- Orders  3/3") && shop.screen()[14] == "Total: 37.5000")
        try await shop.press(.click(column: 40, line: 9), .click(column: 40, line: 9))
        #expect(shop.screen()[9].contains("Total v") && shop.screen()[8].hasPrefix("--- Orders  1/3"))
        try await shop.press(.wheelDown)
        #expect(shop.screen()[8].hasPrefix("--- Orders  3/3"))
        try await shop.press(.click(column: 10, line: 3), .click(column: 0, line: 15))
        #expect(shop.screen()[0] == "Clients  2/4" && shop.screen()[8].hasPrefix("--- Orders  1/2"))
    }

    @Test("a form stays that of its row if details are read meanwhile")
    func lateDetails() async throws {
        var shop = try await Shop { $0.table = "Clients" }
        try await shop.type("m")
        try await shop.press(.tab)
        var browser = shop.browser
        // The user goes back to the clients while the details of the orders are read.
        _ = browser.handle(.key(.text("m")))
        _ = browser.handle(.key(.tab))
        _ = browser.handle(.key(.enter))
        let form = Screen(browser.lines, shop.size).text
        #expect(form[0] == "Clients  1/4")
        _ = browser.handle(.loaded(try #require(shop.tables["OrderDetails"]), isCut: false))
        #expect(Screen(browser.lines, shop.size).text == form.map { $0.hasPrefix("reading") ? "" : $0 })
    }
}
