// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

@Suite("Whether avahi-daemon is alive")
struct LifeChecksTests {
    @Test("a check is overdue from when somebody gave up until it or a later one is answered")
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
