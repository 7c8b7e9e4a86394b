// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Broker

@Suite("The servers that may be connected to")
struct ServerReachTests {
    @Test("loopback needs no look-up, and everything else is refused")
    func loopback() throws {
        for (text, expected) in [
            ("127.0.0.1", ["127.0.0.1"]), ("127.1.2.3", ["127.1.2.3"]), ("[::1]", ["::1"]),
            ("localhost", ["127.0.0.1", "::1"]), ("LOCALHOST", ["127.0.0.1", "::1"]),
        ] {
            let host = try ServerURL(completing: text).host
            #expect(try ServerReach.loopback.addresses(of: host)?.map(\.description) == expected, "\(text)")
        }
        for text in [
            "10.0.0.1", "192.0.2.1", "[fe80::1%lo]", "server.example", "a.local", "x.localhost", "localhost.lan",
        ] {
            let host = try ServerURL(completing: text).host
            #expect(throws: BrokerError.self, "\(text)") { try ServerReach.loopback.addresses(of: host) }
            #expect(try ServerReach.network.addresses(of: host) == nil)
        }
    }
}
