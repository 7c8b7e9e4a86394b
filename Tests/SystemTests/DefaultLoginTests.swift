// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import relctl

@Suite("The default login after changes")
struct DefaultLoginTests {
    private typealias Outcome = DefaultLogin.Outcome

    @Test("another default stays, and so does one with a configured login")
    func others() {
        for current in [nil, "other"] {
            #expect(Outcome(of: current, when: "clerk", becomes: nil, among: []) == .stays)
        }
        #expect(Outcome(of: "clerk", when: "clerk", becomes: "chief", among: ["clerk", "chief"]) == .stays)
        #expect(Outcome(of: "clerk", when: "clerk", becomes: nil, among: ["clerk"]) == .stays)
        #expect(Outcome.stays.line("clerk") == nil)
    }
}
