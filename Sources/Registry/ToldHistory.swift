// SPDX-License-Identifier: Apache-2.0

/// The changes that were told last, so that a watcher who comes back hears those that he missed.
struct ToldHistory: Sendable {
    private let capacity: Int
    /// A ring once it is full: the oldest is at `oldest`.
    private var changes: [RegistryChange] = []
    private var oldest = 0
    /// Of the newest; each has one more than the one before it.
    private var revision: UInt64 = 0

    /// - Parameter capacity: changes that are kept, at least 1.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// There were changes up to `revision` that nobody was told: what came before leads nowhere.
    mutating func begin(at revision: UInt64) {
        changes.removeAll()
        oldest = 0
        self.revision = revision
    }

    mutating func append(_ change: RegistryChange) {
        revision += 1
        if changes.count < capacity {
            changes.append(change)
        } else {
            changes[oldest] = change
            oldest = (oldest + 1) % capacity
        }
    }

    /// What was told after `revision`, oldest first; nil where that is not known.
    func changes(since revision: UInt64) -> [(revision: UInt64, change: RegistryChange)]? {
        guard revision <= self.revision, self.revision - revision <= UInt64(changes.count) else { return nil }
        let count = Int(self.revision - revision)
        return (changes.count - count..<changes.count).map { index in
            (
                self.revision - UInt64(changes.count - 1 - index),
                changes[(oldest + index) % changes.count]
            )
        }
    }
}
