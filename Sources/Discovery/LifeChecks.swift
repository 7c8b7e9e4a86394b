// SPDX-License-Identifier: Apache-2.0

/// Questions whether avahi-daemon is alive, numbered as they were asked, and answered in that order.
struct LifeChecks {
    private var asked = 0
    private var answered = 0
    private var overdue = 0

    /// Whether somebody has waited in vain, and there is no answer yet.
    var isOverdue: Bool { answered < overdue }

    mutating func ask() -> Int {
        asked += 1
        return asked
    }

    mutating func answered(_ number: Int) { answered = max(answered, number) }

    /// Somebody has given up waiting. That the answer came meanwhile does no harm.
    mutating func gaveUp(_ number: Int) { overdue = max(overdue, number) }
}
