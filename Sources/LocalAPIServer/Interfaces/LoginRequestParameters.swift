// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI

/// The parameters of `Credentials.AddLogin`, checked.
struct LoginRequestParameters {
    let user: String
    let domain: String
    let schema: String
    let userKey: UserKey
    let extras: [LoginExtra]
    let isTested: Bool
    let agreement: PinAgreement
    private let givenName: String?

    /// - Throws: `CredentialsAPI.InvalidLoginError` for a value that is not valid.
    init(_ call: CredentialsAPI.AddLoginCall) throws {
        user = call.user
        domain = call.domain ?? ""
        schema = call.schema ?? ""
        userKey = try call.userKey.map { try UserKey(checking: $0) } ?? .userID
        extras = (call.extras ?? []).map { LoginExtra(key: $0.key, value: $0.value) }
        givenName = call.name
        agreement = try PinAgreement(pin: call.pin, trust: call.trust, allowPlaintext: call.allowPlaintext)
        isTested = call.test ?? true
        guard !user.isEmpty else { throw CredentialsAPI.InvalidLoginError(message: "the user is empty") }
    }

    /// The name that was given, else the usual one.
    func name(for endpoint: Endpoint) -> String {
        givenName ?? NewLogin.usualName(user: user, endpoint: endpoint.name, domain: domain, schema: schema)
    }

    func newLogin(for endpoint: Endpoint, identity: ServerIdentity, networkID: [UInt8]?) -> NewLogin {
        let pinned = agreement.pinned(endpoint, as: identity, networkID: networkID)
        return NewLogin(
            name: name(for: endpoint),
            endpoint: endpoint.id,
            user: user,
            domain: domain,
            schema: schema,
            userKey: userKey,
            extras: extras,
            pin: pinned.pin,
            allowsPlaintext: pinned.allowsPlaintext,
            networkID: pinned.networkID,
            interface: pinned.interface,
            location: pinned.location
        )
    }
}

extension UserKey {
    /// - Throws: `CredentialsAPI.InvalidLoginError` for a text that is no key of a user.
    init(checking text: String) throws {
        guard let key = UserKey(rawValue: text) else {
            let names = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw CredentialsAPI.InvalidLoginError(message: "the user's key is \(names), not '\(Printable(text))'")
        }
        self = key
    }
}
