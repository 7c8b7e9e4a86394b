// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Remoting

/// As whom an adapter is logged in: what a tool that logs in by itself has to name, if it names anything.
struct ToolLogin: Sendable, Hashable {
    let user: String
    let domain: String
    let schema: String

    init(user: String, domain: String, schema: String) {
        self.user = user
        self.domain = domain
        self.schema = schema
    }

    init(_ login: Login) {
        self.init(user: login.user, domain: login.domain, schema: login.schema)
    }

    /// Agrees to a login string whatever its password. Fields that are left out or empty are the adapter's own; letters
    /// are compared without case, as servers do.
    ///
    /// - Throws: `BrokerError.otherLogin` for another user, domain or schema; `RemotingError.malformed`.
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
    }

    /// The same for a user alone.
    func check(user asked: String?) throws(BrokerError) {
        try Self.check("user", asked, user)
    }

    private static func check(_ field: String, _ asked: String?, _ own: String) throws(BrokerError) {
        guard let asked, !asked.isEmpty, asked.lowercased() != own.lowercased() else { return }
        throw .otherLogin(field: field, asked: asked)
    }
}
