// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import DataAbstract
import Endpoints
package import Remoting

extension Login {
    /// What its sessions are shared under.
    var sessionKey: SharedSessions<ServerSession>.Key { origin == .configured ? .configured(id) : .login(id) }

    /// Whether a session of this login is one of the other: its name and its password may differ.
    func isUsed(as other: Login) -> Bool {
        sessionKey == other.sessionKey && endpoint == other.endpoint && binding == other.binding && user == other.user
            && domain == other.domain && schema == other.schema && userKey == other.userKey && extras == other.extras
    }

    /// What its permission to be sent depends on.
    var binding: LoginBinding {
        LoginBinding(
            pin: pin,
            isVerified: isVerified,
            allowsPlaintext: allowsPlaintext,
            networkID: networkID,
            interface: interface,
            agreedHost: agreedURL.flatMap { try? ServerURL(completing: $0) }?.host
        )
    }

    /// The LoginEx message; its bytes hold the password and have to be wiped.
    func request(
        to service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws(BrokerError) -> LoginMessage {
        let words = LoginWords(user: user, domain: domain, schema: schema, userKey: userKey, extras: extras)
        return try words.request(to: service, password: password, for: clientID)
    }
}

extension NewLogin {
    /// As `Login.request`, for a login that is tried before it is stored.
    package func request(
        to service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws(BrokerError) -> LoginMessage {
        let words = LoginWords(user: user, domain: domain, schema: schema, userKey: userKey, extras: extras)
        return try words.request(to: service, password: password, for: clientID)
    }
}

extension LoginBinding {
    /// What the permission of a login depends on that is not stored yet.
    package init(_ login: NewLogin) {
        self.init(
            pin: login.pin,
            isVerified: login.isVerified,
            allowsPlaintext: login.allowsPlaintext,
            networkID: login.networkID,
            interface: login.interface,
            agreedHost: login.location.flatMap { try? ServerURL(completing: $0.url) }?.host
        )
    }
}

/// What a login string says besides the password.
private struct LoginWords {
    let user: String
    let domain: String
    let schema: String
    let userKey: UserKey
    let extras: [LoginExtra]

    func request(
        to service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws(BrokerError) -> LoginMessage {
        do {
            let login = try LoginString(
                user: user,
                domain: domain,
                schema: schema.isEmpty ? nil : schema,
                userKey: userKey == .user ? .user : .userID,
                further: try extras.map { extra throws(LoginStringError) in
                    try LoginStringEntry(key: extra.key, value: extra.value)
                }
            )
            return try LoginRequest.encode(login, password: password, service: service, clientID: clientID)
        } catch {
            throw .invalidLogin(reason: "\(error)")
        }
    }
}
