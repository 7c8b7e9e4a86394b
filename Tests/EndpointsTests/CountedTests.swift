// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite struct CountedTests {
    @Test("1 takes the singular, and any other number the plural")
    func forms() {
        #expect((0...2).map { "\(Counted($0, "login"))" } == ["0 logins", "1 login", "2 logins"])
        #expect("\(Counted(Int64(1), "entry", "entries")), \(Counted(11, "entry", "entries"))" == "1 entry, 11 entries")
    }
}
