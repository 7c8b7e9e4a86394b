// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import relctl

@Suite("The default login after changes")
struct DefaultLoginTests {
    private typealias Outcome = DefaultLogin.Outcome

    @Test("a default follows its login, and is removed with it")
    func own() {
        let renamed = Outcome(of: "clerk", when: "clerk", becomes: "chief", among: ["chief"])
        #expect(renamed == .follows("chief"))
        #expect(renamed.line("clerk") == "relctl: the default login is 'chief' now\n")
        let removed = Outcome(of: "clerk", when: "clerk", becomes: nil, among: [])
        #expect(removed == .ends)
        #expect(
            removed.line("clerk")
                == "relctl: 'clerk' was the default login; now there is none: relctl default set LOGIN\n"
        )
    }

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
