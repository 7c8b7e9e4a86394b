// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalAPI

@Suite("Where the socket is")
struct SocketPathTests {
    @Test(
        "the variable, else the runtime directory, else the one that logind makes",
        arguments: [
            (["RELATIVITYD_SOCKET": "/t/s", "XDG_RUNTIME_DIR": "/r"], "/t/s"),
            (["XDG_RUNTIME_DIR": "/r"], "/r/relativityd/relativityd.sock"),
            ([:], "/run/user/1000/relativityd/relativityd.sock"),
            (["RELATIVITYD_SOCKET": "", "XDG_RUNTIME_DIR": ""], "/run/user/1000/relativityd/relativityd.sock"),
        ] as [([String: String], String)]
    )
    func path(variables: [String: String], path: String) {
        #expect(SocketPath.ofClient(user: 1000) { variables[$0] } == path)
    }
}
