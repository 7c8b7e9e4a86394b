// SPDX-License-Identifier: Apache-2.0

/// The selected place of a list, and the part of the list that the screen shows.
package struct ListCursor: Hashable, Sendable {
    /// Counts from 0; 0 for an empty list.
    package private(set) var selected = 0
    private var top = 0

    /// Selects the first place.
    package init() {}

    /// Selects a place, or the nearest one that exists.
    ///
    /// - Parameters:
    ///   - count: the number of places.
    ///   - height: the number of places that the screen shows.
    package mutating func select(_ place: Int, of count: Int, height: Int) {
        selected = max(0, min(place, count - 1))
        top = first(of: count, height: height)
    }

    /// Moves the selection.
    ///
    /// - Returns: false if the key does not move it.
    package mutating func handle(_ key: Key, of count: Int, height: Int) -> Bool {
        guard let steps = key.steps(page: height) else { return false }
        select(selected + steps, of: count, height: height)
        return true
    }

    /// Returns the places that are shown.
    package func visible(of count: Int, height: Int) -> Range<Int> {
        let first = first(of: count, height: height)
        return first..<max(first, min(count, first + height))
    }

    /// Returns the place at a line of the list, counted from 0; nil if there is none.
    package func place(at line: Int, of count: Int, height: Int) -> Int? {
        let shown = visible(of: count, height: height)
        return shown.contains(shown.lowerBound + line) ? shown.lowerBound + line : nil
    }

    private func first(of count: Int, height: Int) -> Int {
        let height = max(1, height)
        let lowest = max(0, min(selected, count - height))
        return min(max(top, selected - height + 1), lowest)
    }
}

extension Key {
    /// The letters that move like keys with arrows, where letters are commands.
    package enum MovingLetters: Sendable {
        case none
        /// `j` and `k`, for down and up.
        case vertical
        /// These, and `g` and `G` for the first and the last place.
        case all
    }

    /// The number of places that the key moves down in a list or a text; nil if it is for something else. Home and End move
    /// by more places than there are, which the caller limits.
    package func steps(page: Int, wheel: Int = 3, letters: MovingLetters = .none) -> Int? {
        let all = 1 << 32
        return switch self {
        case .up: -1
        case .down: 1
        case .pageUp: -page
        case .pageDown: page
        case .wheelUp: -wheel
        case .wheelDown: wheel
        case .home: -all
        case .end: all
        case .text("k") where letters != .none: -1
        case .text("j") where letters != .none: 1
        case .text("g") where letters == .all: -all
        case .text("G") where letters == .all: all
        default: nil
        }
    }
}
