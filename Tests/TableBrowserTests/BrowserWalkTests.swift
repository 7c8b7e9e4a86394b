// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Screens
import TestSupport
import Testing

@testable import TableBrowser

@Suite("Random keys in the terminal view of tables")
struct BrowserWalkTests {
    @Test(
        "nothing crashes, the screen fits, and nothing is applied without the keys that apply",
        arguments: zip([(40, 10), (80, 24), (200, 60), (3, 2)], [1, 2, 3, 4] as [UInt64])
    )
    func walk(size: (Int, Int), seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let size = ScreenSize(columns: size.0, lines: size.1)
        var shop = try await Shop(size) { $0.table = "Clients" }
        for step in 0..<2_500 {
            let key = Key.random(&random, size)
            // F9 and Ctrl-A show the changes in the list of tables, a shows them in the rows.
            guard ![.text("a"), .function(9), .control("a")].contains(key) else { continue }
            try await shop.press(key)
            if step.isMultiple(of: 7) { _ = shop.screen() }
        }
        #expect(shop.sent.isEmpty)
        try await leave(&shop)
    }

    @Test("with all keys nothing crashes, and Escape leads out", arguments: [11, 12, 13] as [UInt64])
    func walkAll(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var shop = try await Shop(Screen.usual)
        for step in 0..<1_500 {
            shop.rejection = [nil, "no", "lost", nil].randomElement(using: &random) ?? nil
            try await shop.press(Key.random(&random, Screen.usual))
            if step.isMultiple(of: 7) { _ = shop.screen() }
        }
        try await leave(&shop)
    }

    /// Leaves with Escape, and y for questions about pending changes.
    private func leave(_ shop: inout Shop) async throws {
        let ends = shop.ends.count
        for _ in 0..<40 where shop.ends.count == ends {
            if case .question = shop.browser.panels.last {
                try await shop.type("y")
            } else {
                try await shop.press(.escape)
            }
        }
        #expect(shop.ends.count > ends)
    }
}
