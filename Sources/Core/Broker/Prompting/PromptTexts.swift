// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
package import Prompts
import Registry

/// The texts of the prompts that an opening shows to the user. Each begins with the name that the requesting process
/// gives itself.
struct PromptTexts {
    private let asker: String

    /// - Parameter caller: the process that requests an adapter.
    init(caller: CallingProcess?) {
        let name = (caller?.pid).flatMap { TextFile.read("/proc/\($0)/comm", maximumBytes: 64) }
        asker = ShownText.of(
            process: caller?.pid,
            named: name?.split(separator: "\n").first.map(String.init),
            claimedBy: caller?.claimedBy
        )
    }

    /// - Parameter use: the endpoint or login that the vault is unlocked for.
    func passphrase(for use: String, remark: String?) -> PromptQuestion {
        let lines = ["\(asker) wants to use \(use)", "The vault with your logins is locked"]
        return PromptQuestion(.secret, "Passphrase of the vault", lines, remark: remark)
    }

    /// - Parameter use: the requested use as a noun phrase, such as `an adapter`.
    func use(_ use: String, of shown: ShownUse) -> PromptQuestion {
        var lines = ["\(asker) wants \(use)"] + Self.server(shown.name, shown.url, nil)
        if let login = shown.login {
            lines += ["login: \(ShownText.quoted(login.name))", "user: \(ShownText.quoted(login.account.user))"]
        }
        return PromptQuestion(.agreement, "Allow this", lines)
    }

    func user(at endpoint: Endpoint, _ identity: ServerIdentity) throws -> PromptQuestion {
        let lines = ["\(asker) wants to log in to a server without a stored login"] + Self.server(endpoint, identity)
        return PromptQuestion(.text, "User name", lines)
    }

    func password(
        of login: NewLogin,
        at endpoint: Endpoint,
        _ identity: ServerIdentity?,
        remark: String?
    ) -> PromptQuestion {
        var lines = ["\(asker) wants to log in"] + Self.server(endpoint, identity)
        lines.append("user: \(ShownText.quoted(login.account.user))")
        if !login.account.domain.isEmpty { lines.append("domain: \(ShownText.quoted(login.account.domain))") }
        return PromptQuestion(.secret, "Password", lines, remark: remark)
    }

    /// - Parameter isKnown: whether the identity is verified, so that only plain HTTP needs approval.
    func agreement(to endpoint: Endpoint, _ identity: ServerIdentity, isKnown: Bool) throws -> PromptQuestion {
        var lines = ["\(asker) wants to log in"] + Self.server(endpoint, identity)
        let fingerprint = Fingerprint(of: identity.pin)
        lines += ["fingerprint: \(fingerprint.words)", "sha256: \(fingerprint.text)"]
        guard !identity.pin.strength.isEncrypted else { return PromptQuestion(.agreement, "Is this the server", lines) }
        lines.append(
            identity.pin.strength == .loopback
                ? "It is unencrypted, and any program on this machine could answer there instead"
                : "Anyone on the network could read the password and all data, and nothing proves who answers"
        )
        let label =
            isKnown ? "Send the password unencrypted" : "Is this the server, and may the password be sent unencrypted"
        return PromptQuestion(.agreement, label, lines)
    }

    /// - Throws: `CredentialError.invalid` for a command that a prompt cannot show completely.
    func command(
        _ command: SecretCommand,
        of login: String,
        at endpoint: Endpoint?
    ) throws(CredentialError) -> PromptQuestion {
        guard let text = ShownText.whole(command.text) else {
            throw .invalid(field: "the password command", reason: "is too long to be shown in a prompt")
        }
        var lines = ["\(asker) wants a program to run at each login, which prints the password"]
        lines.append("login: \(ShownText.quoted(login))")
        if let endpoint { lines.append("server: \(ShownText.quoted(endpoint.name))") }
        return PromptQuestion(.agreement, "Run this program", lines + ["program: \(text)"])
    }

    private static func server(_ endpoint: Endpoint, _ identity: ServerIdentity?) -> [String] {
        server(endpoint.name, endpoint.url, identity)
    }

    private static func server(_ name: String, _ url: ServerURL, _ identity: ServerIdentity?) -> [String] {
        let address = identity.map { ", now at \($0.address)" } ?? ""
        return ["server: \(ShownText.quoted(name))", "url: \(ShownText.quoted(url.description))\(address)"]
    }
}

/// The input that is missing to open an adapter, and that the user can supply.
enum MissingInput: Hashable {
    /// The passphrase of the vault.
    case passphrase
    /// The user name and password, for an endpoint that has no login.
    case login
    /// A new password for the login of this name.
    case password(login: String)
    /// An approval, which the endpoint requires before each use.
    case agreement

    /// - Returns: nil for a failure that no input can fix.
    init?(_ failure: any Error) {
        switch failure {
        case CredentialError.locked: self = .passphrase
        case BrokerError.loginNeeded: self = .login
        case BrokerError.loginRejected(let login, _): self = .password(login: login)
        case BrokerError.refused(.notAgreed): self = .agreement
        default: return nil
        }
    }
}

extension ConnectionBroker {
    /// Returns the use of an endpoint, for a prompt.
    package func shown(_ use: NamedUse) async throws -> ShownUse {
        let chosen = try await access.choose(use)
        return access.shownUse(of: chosen.endpoint, chosen.login)
    }

    /// Whether an endpoint may be used if the user approves the use.
    func mayUse(_ endpoint: Endpoint) -> Bool {
        (try? access.check(.use, of: endpoint, isAgreed: true)) != nil
    }
}

/// The parts of a new login that the caller already knows.
package struct LoginDefaults: Sendable, Hashable {
    /// The user name; nil prompts for it.
    package var user: String?
    /// The domain; nil uses the endpoint's default.
    package var domain: String?
    /// The schema; nil uses the endpoint's default.
    package var schema: String?

    /// By default the prompt asks for the user name.
    package init(user: String? = nil, domain: String? = nil, schema: String? = nil) {
        self.user = user
        self.domain = domain
        self.schema = schema
    }
}

/// The adapter could not be opened, and the user did not supply the missing input.
package struct UnansweredPrompt: Error {
    /// The reason why it could not be opened: the error for a caller that permits no prompts.
    package let failure: any Error
    /// The reason why there is no input.
    package let reason: PromptError
    /// Combines both errors.
    package init(failure: any Error, reason: PromptError) {
        self.failure = failure
        self.reason = reason
    }
}
