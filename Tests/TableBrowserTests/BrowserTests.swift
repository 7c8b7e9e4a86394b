// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens
import TestSupport
import Testing

@testable import TableBrowser

@Suite("The terminal view of tables")
struct BrowserTests {
    @Test("the list of tables is filtered as one types, and Enter opens a table")
    func tables() async throws {
        var shop = try await Shop(ScreenSize(columns: 50, lines: 8))
        #expect(
            shop.screen() == [
                "shop  3 tables", "> Clients                  6 fields", "  OrderDetails             4 fields",
                "  Orders                   5 fields", "", "", "", "Enter open  Esc quit  type to filter  F1 help",
            ]
        )
        try await shop.type("ord")
        #expect(shop.screen()[0] == "shop  2 of 3 tables  with 'ord'")
        #expect(shop.screen()[2] == "  Orders                   5 fields")
        try await shop.press(.escape, .down, .down, .enter)
        #expect(shop.screen()[0] == "Orders  1/5")
        try await shop.press(.escape)
        #expect(shop.screen()[3] == "> Orders                   5 rows, 5 fields")
        try await shop.press(.escape)
        #expect(shop.ends == [.quit])
    }

    @Test("the rows are a grid with widths of their content, texts are escaped")
    func rows() async throws {
        let shop = try await Shop { $0.table = "Clients" }
        #expect(
            shop.screen() == [
                "Clients  1/4", "    Id  Name          City  Since       Note",
                ">    1  Ada           Ulm   2019-03-01  first line\\u{A}second l…",
                "     2  Bob\\u{1B}[2J  Bonn  2020-07-15  NULL",
                "     3  山田 太郎     東京  NULL        NULL",
                "     4  Cyd           NULL  2021-12-31  NULL",
                "", "", "", "", "", "", "Id: 1", "q quit  ? help  Esc back  / find  s sort  e edit  a apply",
            ]
        )
    }
}
