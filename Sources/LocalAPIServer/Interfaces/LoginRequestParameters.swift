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
    let isTested: Bool
    private let givenName: String?
    private let pin: Fingerprint
    private let allowsPlaintext: Bool

    /// - Throws: `JSONShapeError`, or `APIError` for a fingerprint that is none.
    init(_ parameters: JSONObject) throws {
        user = try parameters.string("user")
        domain = try parameters.optionalString("domain") ?? ""
        schema = try parameters.optionalString("schema") ?? ""
        givenName = try parameters.optionalString("name")
        allowsPlaintext = try parameters.optionalBool("allowPlaintext") ?? false
        isTested = try parameters.optionalBool("test") ?? true
        guard let pin = Fingerprint(try parameters.string("pin")) else {
            throw APIError(
                .invalidLogin,
                "the pin is no fingerprint",
                hint: "64 hexadecimal digits: relctl show ENDPOINT"
            )
        }
        self.pin = pin
        guard !user.isEmpty else { throw APIError(.invalidLogin, "the user is empty", hint: "--user USER") }
    }

    /// The name that was given, else `user@endpoint/domain/schema`.
    func name(for endpoint: Endpoint) -> String {
        givenName ?? ([user + "@" + endpoint.name] + [domain, schema].filter { !$0.isEmpty }).joined(separator: "/")
    }

    /// - Throws: `APIError` unless the server is the one that was agreed to, and plain HTTP was permitted.
    func checkAgreement(on identity: ServerIdentity) throws {
        let found = try Fingerprint(of: identity.pin)
        guard found == pin else {
            throw APIError(
                .identityConflict,
                "the server's fingerprint is \(found.text) now, not the one that was agreed to",
                hint: "relctl show ENDPOINT"
            )
        }
        guard identity.pin.tier == 3 || allowsPlaintext else {
            throw APIError(
                .plaintextNotAllowed,
                "this server speaks plain HTTP: the password would cross the network unencrypted",
                hint: "use an https address, or permit it for this address with --allow-plaintext"
            )
        }
    }

    func newLogin(for endpoint: Endpoint, identity: ServerIdentity, networkID: [UInt8]?) -> NewLogin {
        NewLogin(
            name: name(for: endpoint),
            endpoint: endpoint.id,
            user: user,
            domain: domain,
            schema: schema,
            pin: identity.pin,
            allowsPlaintext: allowsPlaintext && identity.pin.tier != 3,
            networkID: identity.pin.tier == 1 ? networkID : nil
        )
    }
}
