// SPDX-License-Identifier: Apache-2.0

internal import Screens

/// The selected place of a list, and the part of the list that the screen shows.
struct ListCursor: Hashable, Sendable {
    private static let wheelStep = 3

    /// Counts from 0; 0 for an empty list.
    private(set) var selected = 0
    private var top = 0

    /// Selects a place, or the nearest one that exists.
    ///
    /// - Parameters:
    ///   - count: the number of places.
    ///   - height: the number of places that the screen shows.
    mutating func select(_ place: Int, of count: Int, height: Int) {
        selected = max(0, min(place, count - 1))
        top = first(of: count, height: height)
    }

    /// Moves the selection.
    ///
    /// - Returns: false if the key does not move it.
    mutating func handle(_ key: Key, of count: Int, height: Int) -> Bool {
        let place: Int
        switch key {
        case .up: place = selected - 1
        case .down: place = selected + 1
        case .pageUp: place = selected - height
        case .pageDown: place = selected + height
        case .wheelUp: place = selected - Self.wheelStep
        case .wheelDown: place = selected + Self.wheelStep
        case .home: place = 0
        case .end: place = count - 1
        default: return false
        }
        select(place, of: count, height: height)
        return true
    }

    /// Returns the first place that is shown.
    func first(of count: Int, height: Int) -> Int {
        let height = max(1, height)
        let lowest = max(0, min(selected, count - height))
        return min(max(top, selected - height + 1), lowest)
    }

    /// Returns the places that are shown.
    func visible(of count: Int, height: Int) -> Range<Int> {
        let first = first(of: count, height: height)
        return first..<max(first, min(count, first + height))
    }
}
