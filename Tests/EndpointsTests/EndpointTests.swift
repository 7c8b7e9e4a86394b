// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Service names")
struct ServiceNamesTests {
    @Test(
        "valid names are encoded for the wire",
        arguments: ["DataService", "LoginService", "A", "_a.B_9", String(repeating: "x", count: 128)]
    )
    func accepted(name: String) {
        #expect(ServiceNames.isValid(name))
    }

    @Test(
        "invalid names are rejected",
        arguments: [
            "", " ", "Data Service", "Data-Service", "a/b", "a\0", "a\n", "Dätä", "Ａ",
            String(repeating: "x", count: 129),
        ]
    )
    func refused(name: String) {
        #expect(!ServiceNames.isValid(name))
    }

    @Test("Relativity's own service types are valid")
    func usual() {
        #expect(ServiceNames.relativity == ServiceNames(data: "DataService", login: "LoginService"))
    }
}
