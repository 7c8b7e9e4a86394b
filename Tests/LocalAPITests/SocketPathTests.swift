// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalAPI

@Suite("Location of the socket")
struct SocketPathTests {
    @Test(
        "the path comes from the variable, else from the runtime directory, else from logind's directory",
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
