// SPDX-License-Identifier: Apache-2.0

/// Ring buffer of the latest changes that were sent to watchers, so that a watcher that reconnects receives those that it
/// missed.
struct ChangeHistory: Sendable {
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

    /// Restarts the history at `revision`. Earlier changes were not recorded, because there was no watcher, so a watcher
    /// cannot resume from an earlier revision.
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

    /// Returns the changes after `revision`, oldest first; nil where they are not known.
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
