// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

/// A login for each form of address, saved and read again.
@Suite("The interface of a pin")
struct InterfaceTests {
    /// The pin with the scope of a connection, the stored interface, and the minor version that can store both.
    private static let forms: [(pin: Pin, interface: String?, minor: UInt16)] = {
        func address(_ text: String) -> IPAddress? { IPAddress(text) }
        let plain = ["192.168.7.20", "169.254.7.20", "2001:db8::7", "fd00::7", "fec0::7"].compactMap(address)
        let linkLocal = ["fe80::7%3", "febf::7%3", "fe80::7"].compactMap(address)
        let loopback = ["127.0.0.1", "::1", "::ffff:127.0.0.1"].compactMap(address)
        return plain.map { (.address($0, port: 7_099), nil, 0) }
            + linkLocal.map { (.address($0, port: 7_099), "eth0", 2) }
            + loopback.map { (.loopback($0, port: 7_099), nil, 0) }
            + [
                (.authority(host: "db.example.com"), nil, 1),
                (.tls(spkiSHA256: [UInt8](repeating: 7, count: 32)), nil, 0),
            ]
    }()

    @Test("each form of address survives the round trip, and only a link-local one has its interface")
    func forms() async throws {
        #expect(Self.forms.count == 13)
        for (pin, interface, minor) in Self.forms {
            let fixture = try StoreFixture()
            let store = try await fixture.created()
            var new = try VaultFixture.login(1)
            new.pinned = PinnedEndpoint(
                endpoint: new.endpoint,
                pin: pin,
                allowsPlaintext: !pin.strength.isEncrypted,
                interface: "eth0"
            )
            let added = try await store.add(new, password: try fixture.secret("secret"))
            let again = try await fixture.opened().loginInReach(named: new.name)
            for login in [added, again] {
                #expect(login.pin == pin.withoutScope && login.pinned.interface == interface, "\(pin)")
            }
            let version = try VaultFile(parsing: TextFile.bytes(of: fixture.vaultPath)).header.version
            #expect(version == VaultVersion(1, minor), "\(pin)")
            #expect(try await fixture.password(of: again, in: store) == "secret")
            // A pin with another interface number is the same pin.
            try await store.withPassword(of: again.id, pin: pin) { #expect(Array($0) == Array("secret".utf8)) }
            let edited = try await store.edit(again, LoginEdit(user: "another"))
            #expect(edited.pinned.interface == interface)
        }
    }

    @Test("the permission of another login is for that login's interface, and the permission of a new pin for its own")
    func later() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let pin = Pin.address(try #require(IPAddress("fe80::7%3")), port: 7_099)
        for (index, interface) in ["eth0", "wlan0"].enumerated() {
            var new = try VaultFixture.login(1)
            new.name = "\(index)"
            new.pinned = PinnedEndpoint(endpoint: new.endpoint, pin: pin, allowsPlaintext: true, interface: interface)
            _ = try await store.add(new, password: try fixture.secret("secret"))
            #expect(try await store.logins().allSatisfy { $0.pinned.interface == interface })
        }
        let endpoint = try VaultFixture.login(1).endpoint
        for interface in ["eth1", nil] {
            let pinned = PinnedEndpoint(endpoint: endpoint, pin: pin, allowsPlaintext: true, interface: interface)
            #expect(try await store.repin(pinned).allSatisfy { $0.pinned.interface == interface })
        }
    }

    @Test("a copy keeps the interface, and an import does not, because the user has not verified it here")
    func copies() async throws {
        let (here, there) = (try StoreFixture(), try StoreFixture())
        let first = try await here.created()
        var new = try VaultFixture.login(1)
        let pin = Pin.address(try #require(IPAddress("fe80::7%3")), port: 7_099)
        new.pinned = PinnedEndpoint(endpoint: new.endpoint, pin: pin, allowsPlaintext: true, interface: "eth0")
        _ = try await first.add(new, password: try here.secret("secret"))
        let copy = try await first.export(passphrase: try here.secret("travel light"))
        let second = try await there.created()
        let key = UnlockInput.passphrase(SharedSecret(try there.secret("travel light")))
        let opened = try await second.openCopy(copy.bytes, with: key)
        _ = try await second.importLogins(of: opened, endpoints: [:], isDryRun: false)
        let added = try await second.loginInReach(named: new.name)
        #expect(added.pin.isLinkLocal && !added.pinned.allowsPlaintext && added.pinned.interface == nil)
    }

    @Test("invalid interface names are refused before anything is stored")
    func names() throws {
        for name in ["e", "eth0", "veth@if-7.100_x", "enx001122334455"] { #expect(PinnedEndpoint.isInterface(name)) }
        for name in ["", "a b", "a/b", "a:b", "a\n", "é", String(repeating: "i", count: 16)] {
            #expect(!PinnedEndpoint.isInterface(name), "\(name)")
            var new = try VaultFixture.login(1)
            new.pinned.interface = name
            #expect(throws: Never.self) { try new.check() }
            new.pinned.pin = .address(try #require(IPAddress("fe80::7%3")), port: 7_099)
            #expect(throws: CredentialError.self) { try new.check() }
        }
    }
}
