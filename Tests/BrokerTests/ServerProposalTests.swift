// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import TestSupport
import Testing

@testable import Broker
@testable import Registry

@Suite("Verification of a server for a new login")
struct ServerProposalTests {
    private static let key = Pin.tls(spkiSHA256: [UInt8](repeating: 7, count: 32))
    private static let otherKey = Pin.tls(spkiSHA256: [UInt8](repeating: 8, count: 32))
    private static let here: [UInt8] = [UInt8](repeating: 1, count: 32)
    private static let elsewhere: [UInt8] = [UInt8](repeating: 2, count: 32)

    private let endpoint: Endpoint
    private let address: IPAddress
    private let plain: Pin

    init() throws {
        address = try #require(IPAddress("192.0.2.1"))
        plain = .plain(address, port: 7_099)
        let url = ServerURL(scheme: .http, host: .address(address, zone: nil), port: 7_099, path: "/bin")
        let id = try #require(EndpointID("here"))
        endpoint = Endpoint(id: id, name: "here", origin: .manual, state: .unknown, url: url)
    }

    private func identity(
        _ pin: Pin,
        isPinnedByAdministrator: Bool = false,
        isPermitted: Bool = false
    ) -> ServerIdentity {
        var identity = ServerIdentity(pin: pin, address: address, port: 7_099)
        identity.isPinnedByAdministrator = isPinnedByAdministrator
        identity.isPlaintextPermitted = isPermitted
        return identity
    }

    private func pinned(
        _ pin: Pin,
        plaintext: Bool = false,
        network: [UInt8]? = nil,
        isVerified: Bool = true
    ) -> PinnedEndpoint {
        PinnedEndpoint(
            endpoint: endpoint.id,
            pin: pin,
            allowsPlaintext: plaintext,
            networkID: network,
            isVerified: isVerified
        )
    }

    private func standing(_ identity: ServerIdentity, _ pinned: PinnedEndpoint?) -> ServerProposal.Standing {
        ServerProposal(endpoint, identity, network: Self.here, pinned: pinned).standing
    }

    @Test("over TLS, the user verifies only the identity")
    func encrypted() {
        let cases: [(ServerIdentity, PinnedEndpoint?, ServerProposal.Standing)] = [
            (identity(Self.key), nil, .new),
            (identity(Self.key, isPinnedByAdministrator: true), nil, .known),
            (identity(Self.key), pinned(Self.key), .known),
            (identity(Self.key), pinned(Self.key, isVerified: false), .unverified),
            (identity(Self.key, isPinnedByAdministrator: true), pinned(Self.key, isVerified: false), .unverified),
            (identity(Self.key), pinned(Self.otherKey), .other),
            (identity(Self.key, isPinnedByAdministrator: true), pinned(Self.otherKey), .other),
            (identity(Self.key), pinned(plain, plaintext: true, network: Self.here), .other),
        ]
        for (identity, pinned, standing) in cases {
            #expect(self.standing(identity, pinned) == standing, "\(identity) \(String(describing: pinned))")
        }
    }

    @Test("over plain HTTP, the user also permits sending the password on this network")
    func plaintext() {
        let cases: [(ServerIdentity, PinnedEndpoint?, ServerProposal.Standing)] = [
            (identity(plain), nil, .new),
            (identity(plain, isPermitted: true), nil, .new),
            (identity(plain, isPinnedByAdministrator: true), nil, .plaintextOpen),
            (identity(plain, isPinnedByAdministrator: true, isPermitted: true), nil, .known),
            (identity(plain), pinned(plain), .plaintextOpen),
            (identity(plain), pinned(plain, plaintext: true, network: Self.here), .known),
            (identity(plain), pinned(plain, plaintext: true, network: Self.elsewhere), .plaintextOpen),
            (identity(plain), pinned(plain, plaintext: true), .plaintextOpen),
            (identity(plain, isPermitted: true), pinned(plain, plaintext: true, network: Self.elsewhere), .known),
            (identity(plain), pinned(plain, plaintext: true, network: Self.here, isVerified: false), .unverified),
        ]
        for (identity, pinned, standing) in cases {
            #expect(self.standing(identity, pinned) == standing, "\(identity) \(String(describing: pinned))")
        }
    }

    @Test("a permission allows plain HTTP if there is no TLS, and records the location of the server")
    func agreed() {
        let open = ServerProposal(endpoint, identity(plain), network: Self.here, pinned: nil).agreed
        #expect(open.endpoint == endpoint.id && open.pin == plain && open.isVerified)
        #expect(open.allowsPlaintext && open.networkID == Self.here && open.interface == nil)
        #expect(open.location == EndpointLocation(name: "here", url: endpoint.url.description))
        let encrypted = ServerProposal(endpoint, identity(Self.key), network: nil, pinned: nil).agreed
        #expect(encrypted.pin == Self.key && !encrypted.allowsPlaintext && encrypted.networkID == nil)
    }
}
