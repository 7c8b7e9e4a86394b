// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI

/// What the user was shown of a server and agreed to: its fingerprint, by what it is known, and plain HTTP where it speaks
/// that.
struct PinAgreement {
    /// nil for what is usual there.
    let trust: ServerTrust?
    private let pin: Fingerprint
    private let allowsPlaintext: Bool

    /// - Throws: `CredentialsAPI.InvalidLoginError` for a fingerprint that is none.
    init(pin: String, trust: CredentialsAPI.Trust?, allowPlaintext: Bool?) throws {
        self.trust = trust.map { ServerTrust($0) }
        allowsPlaintext = allowPlaintext ?? false
        guard let pin = Fingerprint(pin) else {
            throw CredentialsAPI.InvalidLoginError(message: "the pin is no fingerprint: 64 hexadecimal digits")
        }
        self.pin = pin
    }

    /// - Parameter isPinned: the endpoint has a pin.
    /// - Throws: `BrokerAPI.IdentityChangedError` for another server than the one that was agreed to,
    ///   `CredentialsAPI.PlaintextNotAllowedError` if plain HTTP was not permitted.
    func check(_ identity: ServerIdentity, of endpoint: EndpointID, isPinned: Bool) throws {
        let found = try Fingerprint(of: identity.pin)
        guard found == pin else {
            throw BrokerAPI.IdentityChangedError(
                message: "the server's fingerprint is \(found.text) now, not the one that was agreed to",
                endpoint: endpoint.text,
                fingerprint: found.text
            )
        }
        let permission = PlaintextPermission(user: allowsPlaintext ? .here : .none)
        guard PlaintextRule(identity.pin, permission).refusal() == nil else {
            throw CredentialsAPI.PlaintextNotAllowedError(
                message: "this server speaks plain HTTP: the password would cross the network unencrypted",
                endpoint: endpoint.text,
                pinned: isPinned
            )
        }
    }

    /// - Parameter networkID: the network this machine is on now; a permission for plain HTTP holds there only, and for a
    ///   link-local address on its interface only.
    func pinned(_ endpoint: Endpoint, as identity: ServerIdentity, networkID: [UInt8]?) -> PinnedEndpoint {
        PinnedEndpoint(
            endpoint: endpoint.id,
            pin: identity.pin,
            allowsPlaintext: allowsPlaintext && !identity.pin.strength.isEncrypted,
            networkID: identity.pin.strength == .address ? networkID : nil,
            interface: identity.interface,
            location: EndpointLocation(name: endpoint.name, url: endpoint.url.description)
        )
    }
}

extension ServerTrust {
    init(_ trust: RegistryAPI.Trust) { self = trust == .ca ? .authority : .key }
    init(_ trust: CredentialsAPI.Trust) { self = trust == .ca ? .authority : .key }
}
