// SPDX-License-Identifier: Apache-2.0

import SampleServer
import Testing

@testable import Broker

@Suite struct RememberedRefusalTests {
    @Test("a remembered refusal says that it is remembered, and the password is not sent again")
    func refusal() async throws {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        try await fixture.login(to: endpoint, password: "wrong")
        let reason = "user, password, domain or schema is wrong"
        await #expect(throws: BrokerError.loginRejected(login: "login", reason: reason)) {
            try await fixture.open(endpoint)
        }
        for _ in 0..<2 {
            let remembered = reason + " (earlier; it is not sent again automatically)"
            await #expect(throws: BrokerError.loginRejected(login: "login", reason: remembered)) {
                try await fixture.open(endpoint)
            }
        }
        #expect(try fixture.calls("LoginService.LoginEx") == 1)
        await fixture.stop()
        await server.stop()
    }
}
