// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// What waits to be written: bounded, whatever a caller does. Equal entries are counted instead of kept.
struct AuditBuffer: Sendable {
    enum Item: Sendable {
        case entry(AuditEntry, times: Int)
        /// The vault was opened: lines after this are under its key.
        case open(SharedSecret, known: VaultKeys.AuditHead)
        case close
    }

    static let capacity = 256

    private var items: [Item] = []
    /// Events that could not be kept or written, and that no line tells of yet.
    private var untold = 0
    /// Events lost since the daemon started.
    private(set) var lost = 0

    /// - Returns: whether no entry waited before, so that somebody has to see to the writing. A change of keys alone asks
    ///   for none.
    mutating func add(_ entry: AuditEntry) -> Bool {
        // Only since the last change of keys: an entry must not move before it.
        for index in items.indices.reversed() {
            guard case .entry(let other, let times) = items[index] else { break }
            guard other == entry else { continue }
            items[index] = .entry(entry, times: times + 1)
            return false
        }
        guard items.count < Self.capacity else {
            lose(1)
            return false
        }
        let isFirst = !items.contains { if case .entry = $0 { true } else { false } }
        items.append(.entry(entry, times: 1))
        return isFirst
    }

    /// A change of keys always finds room.
    mutating func add(keys item: Item) {
        if items.count >= 2 * Self.capacity {
            lose(Self.eventCount(of: items))
            items = []
        }
        items.append(item)
    }

    /// Hands out what waits, first a line on what was lost.
    mutating func take() -> [Item] {
        var taken = items
        items = []
        guard untold > 0 else { return taken }
        taken.insert(.entry(AuditEntry(.logLost, figures: ["events": .integer(Int64(untold))]), times: 1), at: 0)
        untold = 0
        return taken
    }

    mutating func lose(_ count: Int) {
        untold += count
        lost += count
    }

    /// How many events a batch tells of; a line on lost ones stands for what it says.
    static func eventCount(of items: [Item]) -> Int {
        items.reduce(0) { count, item in
            guard case .entry(let entry, let times) = item else { return count }
            return count + (entry.event == .logLost ? 0 : times)
        }
    }

    /// The batch was not written: its events are lost, and a line that told of lost ones has not told.
    mutating func failed(_ items: [Item]) {
        lose(Self.eventCount(of: items))
        for case .entry(let entry, _) in items where entry.event == .logLost {
            untold.addSaturating(entry.figures["events"]?.integerValue ?? 0)
        }
    }
}
