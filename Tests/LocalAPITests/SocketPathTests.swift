// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalAPI

@Suite("Location of the socket")
struct SocketPathTests {
    @Test(
        "the paths come from the variables, else from the runtime directory, else from logind's directory",
        arguments: [
            (["RELATIVITYD_SOCKET": "/t/s", "XDG_RUNTIME_DIR": "/r"], ["/t/s", "/t/adapters.sock", "/t/data.sock"]),
            (
                ["RELATIVITYD_SOCKET": "/t/s", "RELATIVITYD_DATA_SOCKET": "/d", "XDG_RUNTIME_DIR": "/r"],
                ["/t/s", "/t/adapters.sock", "/d"]
            ),
            (["RELATIVITYD_SOCKET": "s"], ["s", "adapters.sock", "data.sock"]),
            (["XDG_RUNTIME_DIR": "/r"], usual("/r")),
            (["XDG_RUNTIME_DIR": "/r", "RELATIVITYD_HOME": "/h"], usual("/h")),
            ([:], usual("/run/user/1000")),
            (
                [
                    "RELATIVITYD_SOCKET": "", "RELATIVITYD_DATA_SOCKET": "", "RELATIVITYD_HOME": "",
                    "XDG_RUNTIME_DIR": "",
                ],
                usual("/run/user/1000")
            ),
        ] as [([String: String], [String])]
    )
    func paths(variables: [String: String], expected: [String]) {
        let places = SocketPath.Places(user: 1000) { variables[$0] }
        #expect([places.client, places.adapters, places.data] == expected)
    }

    private static func usual(_ base: String) -> [String] {
        ["relativityd", "adapters", "data"].map { "\(base)/relativityd/\($0).sock" }
    }
}
