// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Screens
import TestSupport
import Testing

@testable import TableBrowser

@Suite("A list to pick from")
struct PickListTests {
    private static let people = PickList(
        "Customer",
        [
            PickList.Item("Ada Lovelace", "London"), PickList.Item("Grace Hopper", "New York"),
            PickList.Item("Ägidius Müller", "Zürich"), PickList.Item("山田 太郎", "東京"),
        ]
    )

    private func pick(
        _ keys: [Key],
        from list: PickList = people,
        _ size: ScreenSize = Screen.small
    ) -> [PickList.Outcome] {
        var list = list
        return keys.map { list.handle($0, size) }.filter { $0 != .edited }
    }

    @Test("it shows title, items with details, and the keys")
    func screen() {
        let screen = Screen(Self.people.lines(Screen.small), Screen.small)
        #expect(
            screen.text == [
                "Customer                          4 of 4", "filter:", "Ada Lovelace    London",
                "Grace Hopper    New York", "Ägidius Müller  Zürich", "山田 太郎       東京", "", "", "",
                "Enter pick  Esc back  type to filter",
            ]
        )
        #expect(screen.faults.isEmpty)
    }

    @Test(
        "the filter ignores case, and finds titles and details",
        arguments: [("lovel", 0), ("NEW", 1), ("äGI", 2), ("zÜR", 2), ("京", 3), ("e h", 1)]
    )
    func filter(text: String, found: Int) {
        #expect(pick(Key.typing(text) + [.enter]) == [.picked(found)])
    }

    @Test("the filter does not find a text across title and detail, and Enter picks nothing then")
    func noMatch() {
        #expect(pick(Key.typing("lacelon") + [.enter]) == [])
        #expect(pick(Key.typing("lacelon") + [.backspace, .backspace, .backspace, .enter]) == [.picked(0)])
    }

    @Test("an item that begins with the filter's text is selected, otherwise the first one")
    func selection() {
        #expect(pick([.down] + Key.typing("l") + [.enter]) == [.picked(0)])
        #expect(pick(Key.typing("g") + [.enter]) == [.picked(1)])
        #expect(pick(Key.typing("ä") + [.backspace, .enter]) == [.picked(2)])
        #expect(pick([.end, .up, .home, .down, .enter]) == [.picked(1)])
    }

    @Test("a click picks an item, and nothing elsewhere")
    func click() {
        #expect(pick([.click(column: 3, line: 4)]) == [.picked(2)])
        for line in [0, 1, 6, 9, 50] { #expect(pick([.click(column: 0, line: line)]) == []) }
    }

    @Test("Escape and Ctrl-C leave")
    func leave() {
        #expect(pick(Key.typing("x") + [.escape]) == [.cancelled])
        #expect(pick([.control("c")]) == [.cancelled])
    }

    @Test("a long list scrolls so that the selected item is shown")
    func scrolling() {
        var list = PickList("Long", (0..<100).map { PickList.Item("item \($0)") }, selected: 50)
        let size = Screen.small
        #expect(Screen(list.lines(size), size).text.contains("item 50"))
        for (key, first, last) in [
            (Key.pageDown, "item 51", "item 57"), (.end, "item 93", "item 99"), (.home, "item 0", "item 6"),
            (.wheelDown, "item 0", "item 6"), (.pageDown, "item 4", "item 10"), (.up, "item 4", "item 10"),
        ] {
            _ = list.handle(key, size)
            let lines = Screen(list.lines(size), size).text
            #expect(lines[2] == first && lines[8] == last, "after \(key)")
        }
        #expect(list.handle(.click(column: 0, line: 3), size) == .picked(5))
    }

    @Test("every size shows hostile texts within its edges", arguments: Screen.sizes)
    func sizes(size: ScreenSize) {
        for hostile in Screen.hostile {
            var list = PickList(hostile, Screen.hostile.map { PickList.Item($0, hostile) })
            for key in Key.typing("e\u{301}漢\\") + [.left, .left] {
                #expect(Screen(list.lines(size), size).faults == [])
                _ = list.handle(key, size)
            }
        }
        let empty = PickList("", [])
        #expect(Screen(empty.lines(size), size).faults == [])
    }

    @Test("among many items the filter finds the same as a plain search")
    func many() {
        let titles = (0..<20_000).map { "Customer \($0 * 7 % 20_011)" }
        var list = PickList("Many", titles.map { PickList.Item($0) })
        for key in Key.typing("r 19") { _ = list.handle(key, Screen.usual) }
        let count = titles.count { $0.contains("r 19") }
        #expect(Screen(list.lines(Screen.usual), Screen.usual).text[0].hasSuffix(" \(count) of 20000"))
    }
}
