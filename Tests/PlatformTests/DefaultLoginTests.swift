// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("The file of the default login")
struct DefaultLoginFileTests {
    @Test("it has the name and the endpoint, and a file of version 0.2.0 has only the name")
    func lines() throws {
        let directory = TemporaryDirectory()
        let state = directory.path(of: "state")
        #expect(try DefaultLogin.read(in: state) == nil)
        for login in [DefaultLogin(name: "clerk@Büro"), DefaultLogin(name: "clerk", endpoint: "e1")] {
            try DefaultLogin.write(login, in: state)
            #expect(try DefaultLogin.read(in: state) == login)
        }
        #expect(TestSupport.TextFile.text(of: state + "/default-login") == "clerk\ne1\n")
        try AtomicFile.write(Array("clerk\n".utf8), to: "default-login", in: ProtectedDirectory(state, creating: false))
        #expect(try DefaultLogin.read(in: state) == DefaultLogin(name: "clerk"))
        try DefaultLogin.write(nil, in: state)
        #expect(try DefaultLogin.read(in: state) == nil)
    }
}
