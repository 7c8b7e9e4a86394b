// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Alternate addresses in the vault")
struct AlternateAddressTests {
    private static func alternate(
        _ number: Int,
        of login: Login,
        isSameDatabase: Bool = false
    ) throws -> PinnedEndpoint {
        PinnedEndpoint(
            endpoint: try #require(EndpointID("alternate-\(number)")),
            pin: VaultFixture.pin(100 + number),
            location: EndpointLocation(name: "office", url: "https://10.0.0.\(number):7099/bin")
        )
        .alternate(of: login.endpoint, isSameDatabase: isSameDatabase)
    }

    private static func format(of fixture: StoreFixture) throws -> VaultVersion {
        try VaultFile(parsing: TextFile.bytes(of: fixture.vaultPath)).header.version
    }

    @Test("a password opens for the pin of its endpoint and of that endpoint's alternates, and for no other pin")
    func pins() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let (login, other) = (try await fixture.add(1, to: store), try await fixture.add(2, to: store))
        let (first, second) = (try Self.alternate(1, of: login), try Self.alternate(2, of: login, isSameDatabase: true))
        try await store.addAlternate(first)
        try await store.addAlternate(second)
        #expect(try Self.format(of: fixture) == VaultVersion(2, 0))
        let opened = try await fixture.opened()
        #expect(await opened.readableAlternates(of: login.endpoint) == [first, second])
        #expect(try await opened.boundLogins().map { $0.pin.endpoint } == [login.endpoint, other.endpoint])
        for pin in [login.pin, first.pin, second.pin] {
            try await opened.withPassword(of: login.id, pin: pin) { #expect(Array($0) == Array("password 1".utf8)) }
            guard pin != login.pin else { continue }
            await #expect(throws: CredentialError.pinMismatch(other.endpoint)) {
                try await opened.withPassword(of: other.id, pin: pin) { _ in }
            }
        }
        // A new identity of the endpoint changes nothing for its alternates.
        let repinned = PinnedEndpoint(endpoint: login.endpoint, pin: VaultFixture.pin(9))
        _ = try await store.repin(repinned)
        try await store.withPassword(of: login.id, pin: first.pin) { #expect(Array($0) == Array("password 1".utf8)) }

        try await store.removeAlternate(first.endpoint, of: login.endpoint)
        await #expect(throws: CredentialError.pinMismatch(login.endpoint)) {
            try await store.withPassword(of: login.id, pin: first.pin) { _ in }
        }
        await #expect(throws: CredentialError.notPinned(login.endpoint)) {
            try await store.removeAlternate(first.endpoint, of: login.endpoint)
        }
        // The last login takes the pins with it.
        try await store.remove(login.name)
        #expect(await store.readableAlternates(of: login.endpoint).isEmpty)
        #expect(try Self.format(of: fixture) == VaultVersion(1, 0))
        await #expect(throws: CredentialError.notPinned(login.endpoint)) { try await store.addAlternate(second) }
    }

    @Test("an endpoint has eight alternates at most, and one with the same ID is replaced")
    func limit() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        for number in 1...8 { try await store.addAlternate(try Self.alternate(number, of: login)) }
        let again = try Self.alternate(3, of: login, isSameDatabase: true)
        try await store.addAlternate(again)
        #expect(await store.readableAlternates(of: login.endpoint).map(\.isSameDatabase).firstIndex(of: true) == 2)
        let ninth = try Self.alternate(9, of: login)
        await #expect(throws: CredentialError.self) { try await store.addAlternate(ninth) }
        await store.lock()
        #expect(await store.readableAlternates(of: login.endpoint).isEmpty)
    }

    @Test("an alternate moves with its endpoint to another ID, and can be found by its URL there")
    func moved() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let login = try await fixture.add(1, to: store)
        try await store.addAlternate(try Self.alternate(1, of: login, isSameDatabase: true))
        let other = try #require(EndpointID("other"))
        try await store.moveEndpoints([login.endpoint: other])
        #expect(await store.readableAlternates(of: login.endpoint).isEmpty)
        let alternate = try #require(await store.readableAlternates(of: other).first)
        let url = try ServerURL(completing: "https://10.0.0.1:7099/bin")
        #expect(alternate.endpoint == .alternate(of: other, at: url) && alternate.isSameDatabase)
        try await store.removeAlternate(.alternate(of: other, at: url), of: other)
        #expect(await store.readableAlternates(of: other).isEmpty)
    }
}
