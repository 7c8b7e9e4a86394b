// SPDX-License-Identifier: Apache-2.0

/// Health checks of avahi-daemon. They are numbered in the order in which they were sent, and answered in that order.
struct LifeChecks {
    private var asked = 0
    private var answered = 0
    private var overdue = 0

    /// Whether a check has timed out and no answer has arrived since.
    var isOverdue: Bool { answered < overdue }

    mutating func ask() -> Int {
        asked += 1
        return asked
    }

    mutating func answered(_ number: Int) { answered = max(answered, number) }

    /// A caller has timed out. It does no harm if the answer has arrived in the meantime.
    mutating func gaveUp(_ number: Int) { overdue = max(overdue, number) }
}
