// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Sentences for `status` about what was wrong at the start.
final class StatusNotes: Sendable {
    private let notes = Mutex<[String]>([])

    func add(_ note: String) { notes.withLock { $0.append(note) } }

    var all: [String] { notes.withLock { $0 } }
}
