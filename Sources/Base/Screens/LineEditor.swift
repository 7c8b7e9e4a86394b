// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// A line that is typed at a terminal, with its history. A plain value.
package struct LineEditor: Sendable {
    /// The effect of a key.
    package enum Outcome: Hashable, Sendable {
        case edited
        case accepted(String)
        /// Ctrl-C.
        case abandoned
        /// Ctrl-D in an empty line.
        case ended
        /// Tab: the caller passes completions to `complete`.
        case wantsCompletion
    }

    /// The maximum length of a line in scalars; more is dropped.
    package static let longest = 65_536

    /// The line.
    package private(set) var text: [Unicode.Scalar] = []
    /// The number of scalars before the cursor.
    package private(set) var cursor = 0
    private var history: [String]
    /// The position in the history; its count for the line that is typed.
    private var place: Int
    /// The line that is typed, while an older one is shown.
    private var draft: [Unicode.Scalar] = []

    /// - Parameter history: the oldest first.
    package init(history: [String] = []) {
        self.history = history
        place = history.count
    }

    /// The text before the cursor.
    package var prefix: String { String(String.UnicodeScalarView(text[..<cursor])) }

    /// Edits the line with the keys of readline.
    package mutating func handle(_ key: Key) -> Outcome {
        switch key {
        case .enter:
            let line = String(String.UnicodeScalarView(text))
            reset()
            return .accepted(line)
        case .tab: return .wantsCompletion
        case .control("c"):
            reset()
            return .abandoned
        case .control("d") where text.isEmpty: return .ended
        case .text(let scalar), .pasted(let scalar): insert([scalar])
        case .backspace, .control("h"): remove(max(0, cursor - 1)..<cursor)
        case .delete, .control("d"): remove(cursor..<after(cursor))
        case .left, .control("b"): cursor = before(cursor)
        case .right, .control("f"): cursor = after(cursor)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("k"): remove(cursor..<text.count)
        case .control("u"): remove(0..<cursor)
        case .control("w"): remove(wordStart..<cursor)
        case .up, .control("p"): show(place - 1)
        case .down, .control("n"): show(place + 1)
        case .pageUp, .pageDown, .escape, .backTab, .insert, .control, .function, .click, .wheelUp, .wheelDown: break
        }
        return .edited
    }

    /// Replaces the last scalars before the cursor.
    package mutating func complete(_ count: Int, with completion: String) {
        remove(max(0, cursor - count)..<cursor)
        insert(Array(completion.unicodeScalars))
    }

    /// Adds a line to the history, unless it is empty, begins with a space or repeats the last one.
    ///
    /// - Returns: whether it was added.
    package mutating func remember(_ line: String) -> Bool {
        defer { place = history.count }
        guard !line.isEmpty, !line.hasPrefix(" "), line != history.last else { return false }
        history.append(line)
        return true
    }

    /// The part of the line that fits, and the columns from its start to the cursor.
    ///
    /// - Parameter columns: the width for it, at least 2.
    package func visible(in columns: Int) -> (text: String, cursor: Int) {
        let shown = shown
        let widths = shown.map { Printable.width(of: $0) }
        var start = cursor
        var before = 0
        // The last column stays free for the cursor.
        while start > 0, before + widths[start - 1] < columns {
            start -= 1
            before += widths[start]
        }
        // A mark without its letter would be shown on the text before the line.
        while start > 0, start < cursor, widths[start] == 0 { start += 1 }
        var end = cursor
        var all = before
        while end < text.count, all + widths[end] < columns {
            all += widths[end]
            end += 1
        }
        return (shown[start..<end].joined(), before)
    }

    /// The place before the letter that ends at a place, with the marks on it.
    private func before(_ place: Int) -> Int {
        text[..<place].lastIndex { !Self.isMark($0) } ?? 0
    }

    /// The place after the letter that begins at a place, with the marks on it.
    private func after(_ place: Int) -> Int {
        text.indices.dropFirst(place + 1).first { !Self.isMark(text[$0]) } ?? text.count
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { Printable.width(of: String(scalar)) == 0 }

    /// The scalars as they are shown. Marks are escaped unless they are on a letter.
    private var shown: [String] {
        // A letter and its marks.
        var cluster = ""
        return text.map { scalar in
            let alone = "\(Printable(again: String(scalar)))"
            guard Self.isMark(scalar) else {
                cluster = alone.unicodeScalars.count == 1 ? alone : ""
                return alone
            }
            cluster.unicodeScalars.append(scalar)
            if "\(Printable(again: cluster))" == cluster { return String(scalar) }
            cluster = ""
            return alone
        }
    }

    private var wordStart: Int {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " }
        let end = text[..<cursor].lastIndex { !isSpace($0) } ?? 0
        return text[..<end].lastIndex(where: isSpace).map { $0 + 1 } ?? 0
    }

    private mutating func reset() {
        (text, cursor, draft, place) = ([], 0, [], history.count)
    }

    private mutating func insert(_ scalars: [Unicode.Scalar]) {
        guard text.count + scalars.count <= Self.longest else { return }
        text.insert(contentsOf: scalars, at: cursor)
        cursor += scalars.count
    }

    private mutating func remove(_ range: Range<Int>) {
        text.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func show(_ index: Int) {
        guard (0...history.count).contains(index), index != place else { return }
        if place == history.count { draft = text }
        place = index
        text = index == history.count ? draft : Array(history[index].unicodeScalars)
        cursor = text.count
    }
}
