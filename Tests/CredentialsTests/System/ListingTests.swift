// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Listing logins")
struct ListingTests {
    @Test("never derives a key from the passphrase")
    func noDerivation() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        for index in 0..<5 { try await fixture.add(index, to: store) }
        let other = try await fixture.opened()
        try await fixture.add(5, to: other)
        let clock = ContinuousClock()
        await store.lock()
        // The cheapest derivation that a vault may use.
        let derivation = try await clock.measure {
            try await store.unlock(.passphrase(SharedSecret(try fixture.secret("open sesame"))))
        }
        let lists = 20
        let listing = try await clock.measure {
            for _ in 0..<lists {
                let logins = try await store.logins()
                #expect(logins.count == 6)
            }
        }
        #expect(listing < derivation, "\(lists) lists in \(listing), one unlock in \(derivation)")
    }
}
