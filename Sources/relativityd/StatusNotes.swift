// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Synchronization

/// What was wrong at the start.
final class StatusNotes: Sendable {
    private let notes = Mutex<[ManagerAPI.Note]>([])

    func add(_ note: ManagerAPI.Note) { notes.withLock { $0.append(note) } }

    var all: [ManagerAPI.Note] { notes.withLock { $0 } }
}
