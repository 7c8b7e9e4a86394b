// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import DataAbstract
package import Remoting

extension Login {
    /// What its sessions are shared under.
    var sessionKey: SharedSessions<ServerSession>.Key { origin == .configured ? .configured(id) : .login(id) }

    /// Whether a session of this login is one of the other: its name and its password may differ.
    func isUsed(as other: Login) -> Bool {
        sessionKey == other.sessionKey && endpoint == other.endpoint && binding == other.binding && user == other.user
            && domain == other.domain && schema == other.schema
    }

    /// What its permission to be sent depends on.
    var binding: LoginBinding {
        LoginBinding(
            pin: pin,
            isVerified: isVerified,
            allowsPlaintext: allowsPlaintext,
            networkID: networkID
        )
    }

    /// The LoginEx message; its bytes hold the password and have to be wiped.
    func request(
        to service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws(BrokerError) -> LoginMessage {
        try .login(user: user, domain: domain, schema: schema, service: service, password: password, for: clientID)
    }
}

extension NewLogin {
    /// As `Login.request`, for a login that is tried before it is stored.
    package func request(
        to service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws(BrokerError) -> LoginMessage {
        try .login(user: user, domain: domain, schema: schema, service: service, password: password, for: clientID)
    }
}

extension LoginBinding {
    /// What the permission of a login depends on that is not stored yet.
    package init(_ login: NewLogin) {
        self.init(
            pin: login.pin,
            isVerified: login.isVerified,
            allowsPlaintext: login.allowsPlaintext,
            networkID: login.networkID
        )
    }
}

extension LoginMessage {
    fileprivate static func login(
        user: String,
        domain: String,
        schema: String,
        service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws(BrokerError) -> LoginMessage {
        do {
            return try LoginRequest.encode(
                user: user,
                password: password,
                domain: domain,
                schema: schema.isEmpty ? nil : schema,
                service: service,
                clientID: clientID
            )
        } catch {
            throw .invalidLogin(reason: "\(error)")
        }
    }
}
