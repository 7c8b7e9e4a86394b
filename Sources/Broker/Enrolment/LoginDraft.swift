// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints

/// Login to be added, without its password and the server that it is bound to.
package struct LoginDraft: Sendable, Hashable {
    /// nil for the usual one.
    package let name: String?
    package let user: String
    package let domain: String
    package let schema: String
    package let userKey: UserKey
    package let extras: [LoginExtra]

    package init(
        name: String? = nil,
        user: String,
        domain: String,
        schema: String,
        userKey: UserKey = .userID,
        extras: [LoginExtra] = []
    ) {
        self.name = name
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extras = extras
    }

    /// The name that it has at an endpoint.
    package func name(at endpoint: Endpoint) -> String {
        name ?? NewLogin.usualName(user: user, endpoint: endpoint.name, domain: domain, schema: schema)
    }

    func bound(to pinned: PinnedEndpoint, of endpoint: Endpoint) -> NewLogin {
        NewLogin(
            name: name(at: endpoint),
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
