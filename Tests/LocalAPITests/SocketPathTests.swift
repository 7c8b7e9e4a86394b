// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalAPI

@Suite("Location of the sockets")
struct SocketPathTests {
    @Test("the paths come from the variables, else from the runtime directory, else from logind's directory")
    func paths() {
        let empty = ["SOCKET", "DATA_SOCKET", "HOME"].map { ("RELATIVITYD_\($0)", "") } + [("XDG_RUNTIME_DIR", "")]
        for (variables, client, adapters, data) in [
            (["RELATIVITYD_SOCKET": "/t/s", "XDG_RUNTIME_DIR": "/r"], "/t/s", "/t/adapters.sock", "/t/data.sock"),
            (["RELATIVITYD_SOCKET": "/t/s", "RELATIVITYD_DATA_SOCKET": "/d"], "/t/s", "/t/adapters.sock", "/d"),
            (["RELATIVITYD_SOCKET": "s"], "s", "adapters.sock", "data.sock"),
        ] as [([String: String], String, String, String)] {
            let places = SocketPath.Places(user: 1000) { variables[$0] }
            #expect([places.client, places.adapters, places.data] == [client, adapters, data])
        }
        for (variables, base) in [
            (["XDG_RUNTIME_DIR": "/r"], "/r"), (["XDG_RUNTIME_DIR": "/r", "RELATIVITYD_HOME": "/h"], "/h"),
            ([:], "/run/user/1000"), (Dictionary(uniqueKeysWithValues: empty), "/run/user/1000"),
        ] as [([String: String], String)] {
            let places = SocketPath.Places(user: 1000) { variables[$0] }
            let usual = ["relativityd", "adapters", "data"].map { "\(base)/relativityd/\($0).sock" }
            #expect([places.client, places.adapters, places.data] == usual)
            #expect(places.usual == usual[0])
        }
    }
}
