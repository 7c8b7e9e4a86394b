// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Platform
package import Remoting

/// The reason why the broker opened no adapter or returned no reply. The description is safe to show.
package enum BrokerError: Error, Hashable {
    /// The endpoint has no login. Nil if none was named: there is no login at all.
    case loginNeeded(endpoint: String?)
    /// The endpoint has several logins, with these names, and none was chosen. Nil if no endpoint was named.
    case loginAmbiguous(endpoint: String?, candidates: [String])
    /// There is no login with the name that was chosen without the caller.
    case loginMissing(String, LoginChooser)
    /// The words that name an endpoint and a login have several meanings, which contradict each other. The meanings are
    /// noun phrases, safe to show.
    case loginUnclear(String, readings: [String])
    /// The words name a login with an endpoint, but the use is anonymous.
    case loginUnwanted(String)
    /// The login belongs to another endpoint.
    case loginElsewhere(login: String, endpoint: EndpointID)
    /// The server refused the login. It is not sent again automatically.
    case loginRejected(login: String, reason: String)
    /// The server refused a new login for the endpoint. Nothing was stored.
    case newLoginRejected(endpoint: String, reason: String)
    /// The server cannot be reached.
    case unreachable(StateReason)
    /// The server is not the one that the login is bound to. Nothing was sent.
    case identityConflict(StateReason)
    /// The kernel does not report which user's process listens on this port of this machine. Nothing was sent.
    case ownerUnknown(port: UInt16)
    /// No certificate can be for the endpoint. The reason is a sentence fragment.
    case noAuthority(reason: String)
    /// The pin was imported, and the user has not verified it on this machine yet. Nothing was sent.
    case identityUnverified
    /// The server uses plain HTTP, and there is no permission for it.
    case plaintextNotAllowed(reason: String)
    /// The server requested too many logins within a short time.
    case reloginBlocked
    /// A tool logs in as another user than its adapter: the field that differs, and the value that the tool requested.
    case otherLogin(field: String, asked: String)
    /// A tool logs in with another value of an extra key than its adapter.
    case otherExtra
    /// A tool logs in at an adapter without a login.
    case noLogin
    /// The caller may not do this.
    case refused(AccessRefusal)
    /// The user has approved, but the server or the login is no longer the one that the prompt showed.
    case changedSinceAgreed
    /// The rules of the requested grant are invalid.
    case invalidGrant(reason: String)
    /// No grant has this ID.
    case grantNotFound(String)
    /// The vault or the command for the password yielded no password.
    case noPassword(CredentialError)
    /// A field of the login cannot be sent.
    case invalidLogin(reason: String)
    /// The server answered with an exception. Both texts are untrusted.
    case server(className: String, text: String)
    /// The server does not speak the protocol, or not in a supported form.
    case protocolFailure(reason: String)
    /// The requests of all adapters together exceed their memory limit.
    case overloaded
    /// No adapter has this ID.
    case adapterNotFound(String)
    /// There are already this many adapters.
    case tooManyAdapters(limit: Int)
    /// There are already this many watchers of adapters.
    case tooManyWatchers(limit: Int)
    /// The adapter's socket could not be made.
    case adapterSocket(reason: String)
    /// The adapter or the daemon is being closed.
    case closed

    /// The same failure as an error of the broker.
    package init(_ error: RemotingError) {
        switch error {
        case .unreachable(let fault), .interrupted(let fault): self = .unreachable(StateReason(of: fault))
        case .deadline: self = .unreachable(StateReason(code: .noAnswer))
        case .overloaded: self = .unreachable(StateReason(code: .overloaded))
        case .closed: self = .closed
        case .tlsIdentity(let observed): self = .identityConflict(StateReason(code: .otherKey, shown: "\(observed)"))
        case .tlsUntrusted(let host, let reason):
            self = .identityConflict(StateReason(code: .notVouched, host: host, detail: reason))
        case .exception(let exception): self = .server(className: exception.className, text: exception.message)
        default: self = .protocolFailure(reason: "\(error)")
        }
    }
}

extension BrokerError: CustomStringConvertible {
    /// A part of a sentence. Untrusted text in it is escaped.
    package var description: String {
        switch self {
        case .loginNeeded(let endpoint):
            endpoint.map { "there is no login for '\(Printable($0))'" } ?? "there is no login"
        case .loginAmbiguous(let endpoint, let candidates):
            (endpoint.map { "'\(Printable($0))' has several logins" } ?? "there are several logins")
                + ", name one with --login: \(candidates.map { "\(Printable($0))" }.joined(separator: ", "))"
        case .loginMissing(let name, let chooser):
            "there is no login named '\(Printable(name))', \(chooser.phrase)"
        case .loginUnclear(let words, let readings):
            "'\(Printable(words))' has several meanings, name the login with --login: \(readings.joined(separator: ", "))"
        case .loginUnwanted(let words):
            "'\(Printable(words))' names a login, which is not used without one: name the endpoint alone"
        case .loginElsewhere(let login, let endpoint):
            "the login '\(Printable(login))' belongs to the endpoint \(endpoint)"
        case .loginRejected(let login, let reason):
            "the server refused the login '\(Printable(login))': \(reason)"
        case .newLoginRejected(let endpoint, let reason):
            "the server refused the new login for '\(Printable(endpoint))', and nothing was stored: \(reason)"
        case .unreachable(let reason): "the server cannot be reached: \(reason)"
        case .identityConflict(let reason) where reason.code == .otherUser: "nothing was sent: \(reason)"
        case .identityConflict(let reason): "this is not the server that the login is bound to: \(reason)"
        case .ownerUnknown(let port):
            "the user of the process that answers on port \(port) here is unknown, so nothing was sent"
        case .noAuthority(let reason): "no certificate authority can verify this server: \(reason)"
        case .identityUnverified: "the server's identity is not verified on this machine: it was imported"
        case .plaintextNotAllowed(let reason): "the password would cross the network unencrypted: \(reason)"
        case .reloginBlocked: "the server asked for the login too often within a short time; it was not sent again"
        case .otherLogin(let field, let asked):
            "the adapter is logged in already, with another \(field) than '\(Printable(asked))'"
        case .otherExtra:
            "the adapter is logged in already, with another value of an extra key"
        case .noLogin: "the adapter was opened without a login"
        case .refused(let refusal): "\(refusal)"
        case .changedSinceAgreed: "the server or login has changed since it was approved"
        case .invalidGrant(let reason): reason
        case .grantNotFound(let id): "no grant '\(Printable(id))'"
        case .noPassword(let error): "\(error)"
        case .invalidLogin(let reason): reason
        case .server(let className, let text):
            "the server answered with \(Printable(className)): \(Printable(text))"
        case .protocolFailure(let reason): reason
        case .overloaded: "too many large requests are waiting for an answer"
        case .adapterNotFound(let id): "no adapter '\(Printable(id))'"
        case .tooManyAdapters(let limit): "the limit of \(limit) adapters is reached"
        case .tooManyWatchers(let limit): "the limit of \(limit) watchers of adapters is reached"
        case .adapterSocket(let reason): "the adapter's socket could not be created: \(reason)"
        case .closed: "the adapter was closed"
        }
    }
}

extension StateReason {
    fileprivate init(of fault: ConnectionFault) {
        switch fault {
        case .system(let errno): self.init(code: .connectError, errno: Int64(errno), detail: "\(fault)")
        case .timeout: self.init(code: .connectTimeout)
        case .tlsFailed: self.init(code: .tlsFailed)
        case .noKey: self.init(code: .noKey)
        case .spokeFirst: self.init(code: .spokeFirst)
        case .closed, .closedBeforeReply: self.init(code: .closed)
        case .closedDuringReply: self.init(code: .brokenOff)
        case .unknown: self.init(code: .noConnection)
        }
    }
}

extension BrokerError {
    init(_ refusal: PlaintextRefusal) {
        switch refusal {
        case .notPermitted:
            self = .plaintextNotAllowed(reason: "this was not allowed for the login")
        case .otherNetwork(let network):
            let here = network.map { "this one, \(HexText.encode($0))" } ?? "this one, which is unknown"
            self = .plaintextNotAllowed(reason: "it was allowed on another network than \(here)")
        case .otherInterface(let permitted, let found):
            self = .plaintextNotAllowed(reason: Self.elsewhere(permitted, found))
        case .ownerUnknown(let port):
            self = .ownerUnknown(port: port)
        }
    }

    private static func elsewhere(_ permitted: String?, _ found: [String]) -> String {
        let here = found.map { "\(Printable($0))" }.joined(separator: ", ")
        let now = here.isEmpty ? "the server's is unknown" : "the server is on \(here) now"
        guard let permitted else { return "it was not allowed on any interface, and \(now)" }
        return "it was allowed on the interface \(Printable(permitted)), and \(now)"
    }
}
