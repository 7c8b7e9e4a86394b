// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// One line of what has happened.
struct TopNote: Equatable {
    enum Tone { case plain, good, bad, warning }

    /// As on a clock on the wall.
    let time: String
    let word: String
    let text: Printable
    let tone: Tone
}

/// The last of what has happened.
struct TopNotes {
    private static let capacity = 200

    private(set) var all: [TopNote] = []

    mutating func add(_ note: TopNote) {
        if all.count == Self.capacity { all.removeFirst() }
        all.append(note)
    }
}
