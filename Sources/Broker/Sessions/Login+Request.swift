// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import DataAbstract
import Endpoints
package import Remoting

extension Login {
    /// The key under which its sessions are shared.
    var sessionKey: SharedSessions<ServerSession>.Key { origin == .configured ? .configured(id) : .login(id) }

    /// Whether both logins can share a session. Their names and passwords may differ.
    func isUsed(as other: Login) -> Bool {
        sessionKey == other.sessionKey && endpoint == other.endpoint && binding == other.binding && user == other.user
            && domain == other.domain && schema == other.schema && userKey == other.userKey && extras == other.extras
    }

    /// The values that the permission to send the login depends on.
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

    /// The LoginEx message. Its bytes contain the password and must be wiped.
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
    /// As `Login.request`, for a login that is tested before it is stored.
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
    /// The values that the permission of a login that is not stored yet depends on.
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

/// The fields of a login string except the password.
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
