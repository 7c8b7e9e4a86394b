// SPDX-License-Identifier: Apache-2.0

package import Credentials
import Endpoints
import EventLoops
import NIOCore
import NIOPosix
package import Remoting
package import Services

/// Sends one login over a channel and converts the result to the broker's errors.
struct LoginCall {
    let channel: RemotingChannel
    let clientID: ClientID
    /// The threads that parse the reply.
    let pool: NIOThreadPool

    /// - Parameters:
    ///   - request: its bytes are wiped.
    ///   - name: the login's name in errors.
    /// - Throws: `BrokerError.loginRejected` if the server refuses the login, by false, by an exception or by HTTP status 401
    ///   or 403; otherwise the failure of the channel, a `RemotingError`.
    func logIn(_ request: LoginMessage, named name: String) async throws {
        do {
            guard try await LoginService(channel: channel).login(request, aside: { try await pool.perform($0) })
            else {
                throw BrokerError.loginRejected(login: name, reason: "user, password, domain or schema is wrong")
            }
        } catch let withheld as WithheldRefusal {
            let reason =
                switch withheld {
                case .repeatsPassword: "it repeats the password"
                case .tooLong: "it is too long"
                }
            throw BrokerError.loginRejected(login: name, reason: "the server's text is withheld because \(reason)")
        } catch RemotingError.exception(let exception) {
            let text = try await pool.perform {
                "\(Printable(withoutClientID(exception.className))): "
                    + "\(Printable(withoutClientID(exception.message)))"
            }
            throw BrokerError.loginRejected(login: name, reason: text)
        } catch RemotingError.httpStatus(let status) where Self.refusingStatuses.contains(status) {
            // Otherwise each later use would send the password again.
            throw BrokerError.loginRejected(login: name, reason: "the server answered with HTTP status \(status)")
        }
    }

    private static let refusingStatuses: Set = [401, 403]

    /// Removes the ClientID, which a server may repeat in its text.
    private func withoutClientID(_ text: String) -> String {
        let scrubber = MessageScrubber(hiding: clientID, behind: .zero)
        return String(buffer: scrubber.scrubbedText(ByteBuffer(string: text)))
    }
}

extension ClientID {
    /// The ClientID of a caller that sent none.
    static let zero = ClientID(wireBytes: [UInt8](repeating: 0, count: byteCount)) ?? ClientID()
}

extension Login {
    /// The key under which its sessions are shared.
    var sessionKey: SharedSessions<ServerSession>.Key { origin == .configured ? .configured(id) : .login(id) }

    /// Whether both logins can share a session. Their names and passwords may differ.
    func isUsed(as other: Login) -> Bool {
        sessionKey == other.sessionKey && account == other.account && pinned.permitsSame(as: other.pinned)
    }
}

extension PinnedEndpoint {
    /// The host of the server's URL when the user verified the pin; nil if it is not known.
    var agreedHost: ServerHost? { location.flatMap { try? ServerURL(completing: $0.url) }?.host }

    /// Whether both permit the same use. The names of their servers and the paths of their URLs may differ.
    func permitsSame(as other: PinnedEndpoint) -> Bool {
        var other = other
        let host = other.agreedHost
        other.location = location
        return self == other && agreedHost == host
    }
}

extension Account {
    /// The LoginEx message. Its bytes contain the password and must be wiped.
    package func request(
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

/// The reason why a login failed, and the consequence for the next attempt.
struct LoginFailure: Error {
    let reason: any Error
    let outcome: SessionState.LoginOutcome

    /// A failure before any byte of the password was sent.
    init(beforeSending reason: any Error) {
        self.reason = (reason as? RemotingError).map { BrokerError($0) } ?? reason
        outcome = .notSent
    }

    /// A failure after the message with the password was passed to the channel.
    init(_ error: any Error) {
        switch error {
        case let error as RemotingError:
            reason = BrokerError(error)
            outcome =
                switch error {
                // The password was not sent, because there was no connection to the pinned server. Retrying is safe.
                case .unreachable, .overloaded, .closed, .tlsIdentity, .tlsUntrusted: .notSent
                default: .failed
                }
        case let error as BrokerError:
            reason = error
            outcome =
                switch error {
                case .loginRejected: .refused(error)
                case .identityConflict, .ownerUnknown, .plaintextNotAllowed, .unreachable: .notSent
                default: .failed
                }
        default:
            reason = error
            outcome = .failed
        }
    }
}

extension AuditResult {
    /// The result of a failed login.
    package init(ofLogin error: any Error) {
        switch error as? BrokerError {
        case .loginRejected, .identityConflict, .ownerUnknown, .plaintextNotAllowed: self = .refused
        default: self = .failed
        }
    }
}

extension AuditLog {
    /// Records a login failure if another server answered.
    func noteConflict(_ error: any Error, of login: Login, proving pin: Pin? = nil) {
        guard case .identityConflict? = error as? BrokerError else { return }
        note(AuditEntry(.conflictSeen, .refused, of: login, proving: pin))
    }
}

extension BrokerError {
    /// The error for later callers. For a refused login, it says that the login is not sent again.
    var remembered: BrokerError {
        guard case .loginRejected(let login, let reason) = self else { return self }
        return .loginRejected(login: login, reason: reason + " (earlier; it is not sent again automatically)")
    }
}
