// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("Environment variables of an adapter")
struct AdapterVariablesTests {
    @Test("a value is one word of a shell, whatever its content")
    func quoting() {
        let adapter = BrokerAPI.Adapter(
            id: "1",
            form: "loopback",
            url: "http://127.0.0.1:1/x",
            domain: "it's $(here)",
            schema: "a\\b",
            held: true,
            ownSession: false,
            otherDatabase: false,
            configured: false,
            created: 0
        )
        #expect(
            AdapterVariables(of: adapter).shellText == #"""
                export RELATIVITYD_URL='http://127.0.0.1:1/x'
                export RELATIVITYD_ADAPTER_SOCKET=''
                export RELATIVITYD_DOMAIN='it'\''s $(here)'
                export RELATIVITYD_SCHEMA='a\b'
                export RELATIVITYD_DATA_SERVICE=''
                export RELATIVITYD_LOGIN_SERVICE=''

                """#
        )
    }
}
