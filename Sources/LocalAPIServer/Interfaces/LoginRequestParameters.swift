// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import JSON
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

    /// - Throws: `JSONShapeError`, or `APIError` for a fingerprint that is none.
    init(_ parameters: JSONObject) throws {
        user = try parameters.string("user")
        domain = try parameters.optionalString("domain") ?? ""
        schema = try parameters.optionalString("schema") ?? ""
        userKey = try UserKey(parameters) ?? .userID
        extras = try LoginExtra.list(parameters)
        givenName = try parameters.optionalString("name")
        agreement = try PinAgreement(parameters)
        isTested = try parameters.optionalBool("test") ?? true
        guard !user.isEmpty else { throw APIError(.invalidLogin, "the user is empty", hint: "--user USER") }
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
    /// The parameter `userKey`; nil without one.
    init?(_ parameters: JSONObject) throws {
        guard let text = try parameters.optionalString("userKey") else { return nil }
        guard let key = UserKey(rawValue: text) else {
            let names = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw APIError(.invalidLogin, "the user's key is \(names), not '\(Printable(text))'")
        }
        self = key
    }
}

extension LoginExtra {
    /// The parameter `extras`; none without it.
    static func list(_ parameters: JSONObject) throws -> [LoginExtra] {
        try (parameters.optionalObjects("extras") ?? []).map { object in
            let record = try ExtraRecord(json: object)
            return LoginExtra(key: record.key, value: record.value)
        }
    }
}
