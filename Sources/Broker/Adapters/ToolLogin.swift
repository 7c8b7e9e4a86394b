// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Remoting

/// The user that an adapter is logged in as. A tool that logs in on its own must name the same user, or none.
struct ToolLogin: Sendable, Hashable {
    let user: String
    let domain: String
    let schema: String
    /// Values of the extra keys, by lower-case key.
    let extras: [String: String]

    init(user: String, domain: String, schema: String, extras: [LoginExtra] = []) {
        self.user = user
        self.domain = domain
        self.schema = schema
        self.extras = Dictionary(extras.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    init(_ login: Login) {
        self.init(user: login.user, domain: login.domain, schema: login.schema, extras: login.extras)
    }

    /// Accepts a login string with any password. A field that is absent or empty matches. Letters are compared
    /// without case, as servers do. Extra keys that the adapter's login does not have are ignored.
    ///
    /// - Throws: `BrokerError.otherLogin` for another user, domain or schema; `BrokerError.otherExtra` for another
    ///   value of an extra key; `RemotingError.malformed`.
    func check(loginString bytes: [UInt8]) throws {
        let fields: LoginStringParser.Fields
        do {
            fields = try LoginStringParser.parse(bytes)
        } catch {
            throw RemotingError.malformed(reason: "\(error)")
        }
        try check(user: fields.user)
        try Self.check("domain", fields.domain, domain)
        try Self.check("schema", fields.schema, schema)
        for (key, value) in fields.further {
            guard let own = extras[key.lowercased()], !value.isEmpty else { continue }
            guard String(decoding: value, as: UTF8.self).lowercased() == own.lowercased() else {
                throw BrokerError.otherExtra
            }
        }
    }

    /// The same check for the user alone.
    func check(user asked: String?) throws(BrokerError) {
        try Self.check("user", asked, user)
    }

    private static func check(_ field: String, _ asked: String?, _ own: String) throws(BrokerError) {
        guard let asked, !asked.isEmpty, asked.lowercased() != own.lowercased() else { return }
        throw .otherLogin(field: field, asked: asked)
    }
}
