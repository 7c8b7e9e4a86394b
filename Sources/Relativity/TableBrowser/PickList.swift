// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
package import Screens

/// A list of items on the whole screen. It is filtered as one types, and one item is picked.
package struct PickList: Sendable {
    /// An item; both texts may be untrusted.
    package struct Item: Hashable, Sendable {
        package var title: String
        /// A text next to the title; empty for none.
        package var detail: String

        /// Creates an item.
        package init(_ title: String, _ detail: String = "") {
            (self.title, self.detail) = (title, detail)
        }
    }

    /// The effect of a key.
    package enum Outcome: Hashable, Sendable {
        case edited
        /// The index of the item in `items`.
        case picked(Int)
        case cancelled
    }

    /// The heading, which may be untrusted.
    package let title: String
    /// All items.
    package let items: [Item]
    private let texts: SearchTexts
    private var filter = LineEditor()
    /// The text that `shown` was filtered by.
    private var filtered = ""
    /// The indexes of the items that contain the filter's text.
    private var shown: [Int]
    private var cursor = ListCursor()

    /// Creates a list.
    ///
    /// - Parameter selected: the index of the item that is selected first.
    package init(_ title: String, _ items: [Item], selected: Int = 0) {
        (self.title, self.items) = (title, items)
        var texts = SearchTexts()
        for item in items { texts.append(item.title, item.detail) }
        self.texts = texts
        shown = Array(items.indices)
        cursor.select(selected, of: items.count, height: 1)
    }

    /// The index of the selected item; nil if none is shown.
    package var selection: Int? { shown.isEmpty ? nil : shown[cursor.selected] }

    /// Handles a key.
    ///
    /// - Parameter size: the size of the screen that was shown.
    package mutating func handle(_ key: Key, _ size: ScreenSize) -> Outcome {
        let height = Self.height(size)
        switch key {
        case .escape, .control("c"): return .cancelled
        case .enter: return selection.map { .picked($0) } ?? .edited
        case .click(_, let line):
            let place = cursor.place(at: line - Self.headLines, of: shown.count, height: height)
            return place.map { .picked(shown[$0]) } ?? .edited
        default:
            guard !cursor.handle(key, of: shown.count, height: height) else { break }
            _ = filter.handle(key)
            narrow(height)
        }
        return .edited
    }

    private var wanted: String { String(String.UnicodeScalarView(filter.text)) }

    /// Filters the items. An item that begins with the text is selected, otherwise the first one. Without a text the
    /// selected item stays selected.
    private mutating func narrow(_ height: Int) {
        let (text, selection) = (wanted, selection)
        guard !text.hasSameBytes(as: filtered) else { return }
        // What does not contain a text does not contain a longer one.
        let candidates = text.utf8.starts(with: filtered.utf8) ? shown : Array(items.indices)
        shown = texts.items(containing: text, of: candidates)
        filtered = text
        let place = text.isEmpty ? selection : texts.firstPlace(beginningWith: text, of: shown)
        cursor.select(place ?? 0, of: shown.count, height: height)
    }

    // MARK: Screen

    private static let headLines = 2

    /// The number of items that a screen shows.
    private static func height(_ size: ScreenSize) -> Int { max(1, size.lines - headLines - 1) }

    /// The lines of the screen, exactly as many as it has.
    package func lines(_ size: ScreenSize) -> [ScreenLine] {
        let head = [
            ScreenLine(size, heading: title, right: "\(shown.count) of \(items.count)"),
            ScreenLine(size) { line in
                line.put("filter:", at: 0, .faint)
                line.put(filter, at: 8, size)
            },
        ]
        let keys = [KeyName("Enter", "pick"), KeyName("Esc", "back"), KeyName("type", "to filter")]
        return size.filled(head + rows(size), foot: [.keys(keys, size)])
    }

    private func rows(_ size: ScreenSize) -> [ScreenLine] {
        let places = cursor.visible(of: shown.count, height: Self.height(size))
        let rows = places.map { place in
            let item = items[shown[place]]
            return (title: Printable(item.title), detail: item.detail, isSelected: place == cursor.selected)
        }
        let widest = rows.map { Printable.width(of: $0.title.description) }.max() ?? 0
        let hasDetails = rows.contains { !$0.detail.isEmpty }
        let width = hasDetails ? min(widest, max(1, size.columns * 2 / 3)) : size.columns
        return rows.map { row in
            ScreenLine(size) { line in
                let style = row.isSelected ? ScreenStyle.chosen : .plain
                if row.isSelected { line.fill("", style) }
                line.put(row.title, at: 0, width: width, style)
                line.put(row.detail, at: width + 2, row.isSelected ? style : .faint)
            }
        }
    }
}
