// SPDX-License-Identifier: Apache-2.0

/// How a screen is divided: a title, the list under its headings, a pane with a title of its own, and the keys.
struct TopLayout {
    private static let widestName = 40

    let listLines: Int
    /// Without its title; 0 where there is no room for one.
    let paneLines: Int
    let nameColumns: Int
    let showsUse: Bool

    init(_ size: TopSize) {
        // Title, headings and keys.
        let rest = max(0, size.lines - 3)
        let pane = rest >= 5 ? min(12, (rest - 1) / 3) : 0
        paneLines = pane
        listLines = pane > 0 ? rest - 1 - pane : rest
        nameColumns = min(Self.widestName, max(10, size.columns * 28 / 100))
        showsUse = size.columns >= 70
    }
}
