// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI

/// Agreement that a call brings: the fingerprint that the user was shown, by what the server is known, and plain HTTP where
/// it has no TLS.
struct PinAgreement: ServerAgreement {
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

    /// - Throws: `BrokerAPI.IdentityChangedError` for another server than the one that was agreed to,
    ///   `CredentialsAPI.PlaintextNotAllowedError` if plain HTTP was not permitted.
    func agree(to proposal: ServerProposal) async throws {
        let found = try Fingerprint(of: proposal.identity.pin)
        guard found == pin else {
            throw BrokerAPI.IdentityChangedError(
                message: "the server's fingerprint is \(found.text) now, not the one that was agreed to",
                endpoint: proposal.endpoint.id.text,
                fingerprint: found.text
            )
        }
        let permission = PlaintextPermission(user: allowsPlaintext ? .here : .none)
        guard PlaintextRule(proposal.identity.pin, permission).refusal() == nil else {
            throw CredentialsAPI.PlaintextNotAllowedError(
                message: "this server speaks plain HTTP: the password would cross the network unencrypted",
                endpoint: proposal.endpoint.id.text,
                pinned: proposal.isPinned
            )
        }
    }
}

extension ServerTrust {
    init(_ trust: RegistryAPI.Trust) { self = trust == .ca ? .authority : .key }
    init(_ trust: CredentialsAPI.Trust) { self = trust == .ca ? .authority : .key }
}
