// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Prompts

/// What a person reads who is asked on the way to an adapter. Who wants it comes first, as that process calls itself.
struct OpeningQuestions {
    private let asker: String

    /// - Parameter caller: the process that wants an adapter.
    init(caller pid: Int32?) {
        let name = pid.flatMap { TextFile.read("/proc/\($0)/comm", maximumBytes: 64) }
        asker = ShownText.of(process: pid, named: name?.split(separator: "\n").first.map(String.init))
    }

    /// - Parameter use: the endpoint or login that the vault is opened for.
    func passphrase(for use: String, remark: String?) -> PromptQuestion {
        let lines = ["\(asker) wants to use \(use)", "The vault with your logins is locked"]
        return PromptQuestion(.secret, "Passphrase of the vault", lines, remark: remark)
    }

    /// - Parameter use: what is wanted, as `an adapter`.
    func use(_ use: String, of shown: ShownUse) -> PromptQuestion {
        var lines = ["\(asker) wants \(use)"] + Self.server(shown.name, shown.url, nil)
        if let login = shown.login {
            lines += ["login: \(ShownText.quoted(login.name))", "user: \(ShownText.quoted(login.user))"]
        }
        return PromptQuestion(.agreement, "Allow this", lines)
    }

    func user(at endpoint: Endpoint, _ identity: ServerIdentity) throws -> PromptQuestion {
        let lines = ["\(asker) wants to log in, and there is no login yet"] + Self.server(endpoint, identity)
        return PromptQuestion(.text, "User name", lines)
    }

    func password(
        of login: NewLogin,
        at endpoint: Endpoint,
        _ identity: ServerIdentity?,
        remark: String?
    ) -> PromptQuestion {
        var lines = ["\(asker) wants to log in"] + Self.server(endpoint, identity)
        lines.append("user: \(ShownText.quoted(login.user))")
        if !login.domain.isEmpty { lines.append("domain: \(ShownText.quoted(login.domain))") }
        return PromptQuestion(.secret, "Password", lines, remark: remark)
    }

    /// - Parameter isKnown: whether only plain HTTP is to be agreed to.
    func agreement(to endpoint: Endpoint, _ identity: ServerIdentity, isKnown: Bool) throws -> PromptQuestion {
        var lines = ["\(asker) wants to log in"] + Self.server(endpoint, identity)
        let fingerprint = try Fingerprint(of: identity.pin)
        lines += ["fingerprint: \(fingerprint.words)", "sha256: \(fingerprint.text)"]
        guard !identity.pin.strength.isEncrypted else { return PromptQuestion(.agreement, "Is this the server", lines) }
        lines.append(
            identity.pin.strength == .loopback
                ? "It is unencrypted, and any program of this machine could answer there in its place"
                : "Anyone on the network could read the password and all data, and nothing proves who answers"
        )
        let label =
            isKnown ? "Send the password unencrypted" : "Is this the server, and may the password go unencrypted"
        return PromptQuestion(.agreement, label, lines)
    }

    private static func server(_ endpoint: Endpoint, _ identity: ServerIdentity?) -> [String] {
        server(endpoint.name, endpoint.url, identity)
    }

    private static func server(_ name: String, _ url: ServerURL, _ identity: ServerIdentity?) -> [String] {
        let address = identity.map { ", now at \($0.address)" } ?? ""
        return ["server: \(ShownText.quoted(name))", "url: \(ShownText.quoted(url.description))\(address)"]
    }
}
