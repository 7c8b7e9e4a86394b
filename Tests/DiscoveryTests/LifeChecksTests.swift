// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

@Suite("Health checks of avahi-daemon")
struct LifeChecksTests {
    @Test("a check is overdue from its timeout until it or a later one is answered")
    func order() {
        var checks = LifeChecks()
        let first = checks.ask()
        let second = checks.ask()
        #expect(!checks.isOverdue)
        checks.gaveUp(second)
        #expect(checks.isOverdue)
        checks.answered(first)
        #expect(checks.isOverdue)
        checks.answered(second)
        #expect(!checks.isOverdue)
        checks.gaveUp(first)
        #expect(!checks.isOverdue, "its answer came just before")
    }
}
