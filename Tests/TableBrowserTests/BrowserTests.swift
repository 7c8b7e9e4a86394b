// SPDX-License-Identifier: Apache-2.0

import Screens
import TableBrowser
import Testing

@Suite("The terminal view of tables")
struct BrowserTests {
    @Test("q ends it")
    func quit() {
        var browser = Browser(Browser.Settings(server: "shop"), size: ScreenSize(columns: 80, lines: 24))
        let actions = browser.handle(.key(.text("q")))
        guard case .end(.quit) = actions.first else {
            Issue.record("q returned \(actions)")
            return
        }
    }
}
