// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// Entries and key changes that wait to be written. The buffer is bounded. An entry that equals a waiting one is
/// counted instead of stored.
struct AuditBuffer: Sendable {
    enum Item: Sendable {
        case entry(AuditEntry, times: Int)
        /// The vault was unlocked: later lines are written under its key.
        case open(SharedSecret, known: VaultKeys.AuditHead)
        case close
    }

    static let capacity = 256

    private var items: [Item] = []
    /// Events that could not be stored or written, and that no `log.lost` line has recorded yet.
    private var untold = 0
    /// Events lost since the daemon started.
    private(set) var lost = 0

    /// Adds an entry.
    ///
    /// - Returns: whether no entry was waiting, so that the caller must schedule a write. A key change alone does not
    ///   need one.
    mutating func add(_ entry: AuditEntry) -> Bool {
        // Compare only with entries after the last key change, because an entry must not move before it.
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

    /// Adds a key change. There is always space for one.
    mutating func add(keys item: Item) {
        if items.count >= 2 * Self.capacity {
            lose(Self.eventCount(of: items))
            items = []
        }
        items.append(item)
    }

    /// Removes and returns the waiting items. If events were lost, a `log.lost` line comes first.
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

    /// The number of events that a batch records. A `log.lost` line counts as none, because its events are already
    /// counted as lost.
    static func eventCount(of items: [Item]) -> Int {
        items.reduce(0) { count, item in
            guard case .entry(let entry, let times) = item else { return count }
            return count + (entry.event == .logLost ? 0 : times)
        }
    }

    /// Counts the events of a batch that could not be written as lost. The events of its `log.lost` lines count as
    /// unrecorded again.
    mutating func failed(_ items: [Item]) {
        lose(Self.eventCount(of: items))
        for case .entry(let entry, _) in items where entry.event == .logLost {
            untold.addSaturating(entry.figures["events"]?.integerValue ?? 0)
        }
    }
}
