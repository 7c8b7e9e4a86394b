// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI

/// How a person at a terminal, or a script that was told before, agrees to the identity of a server.
struct ServerAgreement: ParsableArguments {
    @Option(help: "The fingerprint of the server, as you know it from elsewhere.")
    var pin: String?
    @Flag(help: "Permit passwords to cross the network unencrypted to this one address.")
    var allowPlaintext = false
    @OptionGroup var trust: TrustOption

    /// As a person may copy it: colons between the bytes, `sha256` in front, capitals.
    private var wanted: String? {
        guard let pin else { return nil }
        let digits = pin.lowercased().filter { $0 != ":" }
        return digits.hasPrefix("sha256") ? String(digits.dropFirst(6)) : digits
    }

    func validate() throws {
        guard let wanted else { return }
        guard wanted.utf8.count == 64, wanted.allSatisfy(\.isHexDigit) else {
            throw ValidationError(
                "--pin takes a fingerprint: 64 hexadecimal digits, as 'relctl show ENDPOINT' prints it"
            )
        }
    }

    /// Who the server is, by what was asked for.
    func identity(of record: RegistryAPI.Endpoint, _ client: DaemonClient) throws -> RegistryAPI.Identity {
        try RegistryAPI.Identity.fetch(record.id, by: trust.trust, client)
    }

    /// Has the identity agreed to, and plain HTTP if the server speaks that.
    ///
    /// - Parameters:
    ///   - question: is asked on the terminal, under what the server shows.
    ///   - plainQuestion: is asked in its place where plain HTTP has to be permitted too; nil for a question of its own.
    /// - Throws: `Failure` if it is not.
    func obtain(
        for identity: RegistryAPI.Identity,
        of record: RegistryAPI.Endpoint,
        asking question: String,
        orInPlain plainQuestion: String? = nil
    ) throws {
        if let wanted {
            guard wanted == identity.fingerprint else {
                throw Failure(
                    .identityConflict,
                    "the server's fingerprint is \(identity.fingerprint), not the one given with --pin",
                    hint: trust.show(record.id)
                )
            }
            try permitPlaintext(to: identity)
        } else if identity.vouchedFor {
            Terminal.writeError("the administrator vouches for this server: \(identity.fingerprint)\n")
            try permitPlaintext(to: identity)
        } else {
            try ask(question, plainQuestion, identity, record)
        }
    }

    private func ask(
        _ question: String,
        _ plainQuestion: String?,
        _ identity: RegistryAPI.Identity,
        _ record: RegistryAPI.Endpoint
    ) throws {
        guard Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                "without a terminal, --pin gives the server's own fingerprint, to be compared with what is shown",
                hint: trust.show(record.id)
            )
        }
        Terminal.writeError(
            Facts([
                "server": record.name,
                "url": record.url,
                "identity": identity.summary,
                "fingerprint": identity.fingerprint,
                "in words": identity.words,
            ]).text
        )
        if let host = identity.authority { Terminal.writeError(Self.meaning(of: host)) }
        let asksBoth = plainQuestion != nil && needsPermission(identity)
        if asksBoth {
            Terminal.writeError(Self.meaningOfPlain(identity) + "\n")
        } else {
            try permitPlaintext(to: identity)
        }
        guard Question.isYes(asksBoth ? plainQuestion ?? question : question) else {
            throw Failure(.failed, "nothing was saved")
        }
    }

    /// What a person agrees to who trusts authorities.
    private static func meaning(of host: String) -> String {
        """
        Not this server's key is taken for its identity, but the word of certificate authorities: each one that this
        machine trusts may vouch for '\(Printable(host))'. Whoever gets a certificate for this name from one of them gets
        the password. A new key or certificate of the server is taken without a question.

        """
    }

    private func needsPermission(_ identity: RegistryAPI.Identity) -> Bool {
        let permission = PlaintextPermission(
            user: allowPlaintext ? .here : .none,
            administrator: identity.plaintextPermitted
        )
        return PlaintextRule(PinStrength(identity.strength), permission).refusal() != nil
    }

    private static func meaningOfPlain(_ identity: RegistryAPI.Identity) -> String {
        identity.strength == .loopback
            ? "The password goes unencrypted to whatever program of this machine answers at \(identity.address)."
            : """
            The password and all data would cross the network readable by anyone on it, and nothing proves who answers
            at \(identity.address).
            """
    }

    private func permitPlaintext(to identity: RegistryAPI.Identity) throws {
        guard needsPermission(identity) else { return }
        let question =
            identity.strength == .loopback
            ? "\nSend it there?" : " Send it unencrypted to this address, on this network only?"
        guard Question.isYes(Self.meaningOfPlain(identity) + question) else {
            throw Failure(
                .usage,
                "this server speaks plain HTTP, and --allow-plaintext is not given: the password would cross the network unencrypted"
            )
        }
    }
}
