// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Endpoints
import Glibc
import LocalAPI

/// Options by which the user confirms a server's identity: at a terminal, or in advance with `--pin`.
struct ServerAgreement: ParsableArguments {
    @Option(help: "The fingerprint of the server, known from another source.")
    var pin: String?
    @Flag(help: "Permit sending passwords unencrypted to this one address.")
    var allowPlaintext = false
    @OptionGroup var trust: TrustOption

    /// Whether one of the options is given.
    var isGiven: Bool { pin != nil || allowPlaintext || trust.trust != nil }

    /// The fingerprint of `--pin`, normalised: without colons and the prefix `sha256`, in lower case.
    private var wanted: String? {
        guard let pin else { return nil }
        let digits = pin.lowercased().filter { $0 != ":" }
        return digits.hasPrefix("sha256") ? String(digits.dropFirst(6)) : digits
    }

    func validate() throws {
        guard let wanted else { return }
        guard wanted.utf8.count == 64, wanted.allSatisfy(\.isHexDigit) else {
            throw ValidationError(
                "--pin must be a fingerprint: 64 hexadecimal digits, as printed by 'relctl show ENDPOINT'"
            )
        }
    }

    /// The server of a name, with the identity that the user has confirmed, for a login in the open vault.
    func confirmed(
        _ endpoint: String,
        _ output: OutputOptions
    ) throws -> (endpoint: RegistryAPI.Endpoint, identity: RegistryAPI.Identity) {
        let client = try output.client("fetching the server's identity")
        let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
        try CredentialsAPI.Vault.requireUnlocked(client)
        let identity = try identity(of: record, client)
        try obtain(for: identity, of: record, asking: "Is this the server?")
        return (record, identity)
    }

    /// The server's identity, of the kind that `--trust` selects.
    func identity(of record: RegistryAPI.Endpoint, _ client: DaemonClient) throws -> RegistryAPI.Identity {
        try RegistryAPI.Identity.fetch(record.id, by: trust.trust, client)
    }

    /// Obtains the user's confirmation of the identity, and permission for plain HTTP if the server uses it.
    ///
    /// - Parameters:
    ///   - question: the question at the terminal, after the identity.
    ///   - plainQuestion: one question for both identity and plain HTTP; nil to ask two questions.
    /// - Throws: `Failure` if the user does not confirm.
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
            Terminal.writeError("the administrator has pinned this server: \(identity.fingerprint)\n")
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
        try Question.requireTerminal(
            "give the server's fingerprint with --pin",
            isConfirmation: true,
            hint: trust.show(record.id)
        )
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

    /// Returns the meaning of a pin by certificate authority, for the user.
    private static func meaning(of host: String) -> String {
        """
        The server is identified by a certificate for '\(Printable(host))' from any certificate authority that this
        machine trusts, not by its key. Anyone who obtains such a certificate can receive the password. A new key or
        certificate is accepted without a question.

        """
    }

    private func needsPermission(_ identity: RegistryAPI.Identity) -> Bool {
        let permission = PlaintextPermission(
            user: allowPlaintext ? .here : .none,
            administrator: identity.plaintextPermitted
        )
        return PlaintextRule(identity.strength, permission).refusal() != nil
    }

    private static func meaningOfPlain(_ identity: RegistryAPI.Identity) -> String {
        identity.strength == .loopback
            ? "The password is sent unencrypted to the program on this machine that answers at \(identity.address)."
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
                "the password would cross the network unencrypted: plain HTTP without --allow-plaintext"
            )
        }
    }
}

extension ServerTrust: ExpressibleByArgument {}

/// The option that selects the kind of identity to pin.
struct TrustOption: ParsableArguments {
    @Option(
        help: """
            Kind of identity of an https server: key, its TLS key; ca, a certificate for its host name from any \
            authority that this machine trusts. By default the pinned kind, otherwise key.
            """
    )
    var trust: ServerTrust?

    /// Returns the `show` command with the same option.
    func show(_ endpoint: String) -> Hint {
        let hint: Hint = "relctl show \(endpoint)"
        return trust.map { Hint(command: "\(hint.command) --trust \($0.rawValue)") } ?? hint
    }
}

/// The option `--yes`, which answers the questions at a terminal with yes.
struct YesOption: ParsableArguments {
    @Flag(name: [.customShort("y"), .customLong("yes")], help: "Do not ask.")
    var isOn = false

    /// Asks at the terminal before something is removed. Without a terminal it does not ask.
    ///
    /// - Throws: `Failure` for any answer except yes.
    func confirmRemoval(_ question: String) throws {
        guard !isOn, Terminal.inputIsTerminal else { return }
        guard Question.isYes(question) else { throw Failure(.failed, "nothing was removed") }
    }
}

/// Questions that only a user at a terminal can answer.
enum Question {
    /// The number of attempts to answer.
    static let attempts = 3

    /// Fails without a terminal.
    ///
    /// - Parameter remedy: what to do instead, as the error says.
    static func requireTerminal(_ remedy: String, isConfirmation: Bool = false, hint: Hint? = nil) throws {
        guard !Terminal.inputIsTerminal else { return }
        let reason =
            isConfirmation ? "cannot ask for confirmation without a terminal" : "standard input is not a terminal"
        throw Failure(.usage, "\(reason): \(remedy)", hint: hint)
    }

    /// - Returns: true only if the answer begins with y.
    static func isYes(_ question: String) -> Bool {
        guard Terminal.inputIsTerminal else { return false }
        Terminal.writeError("\(question) [y/N] ")
        guard let answer = readLine() else { return false }
        return answer.lowercased().hasPrefix("y")
    }

    /// Repeats a part of a dialog after errors that the user can correct.
    ///
    /// - Parameters:
    ///   - codes: those of these errors.
    ///   - attempts: the number of attempts; the last error is thrown.
    static func retrying<Value>(
        after codes: Set<DaemonError.Code>,
        attempts: Int = attempts,
        _ part: () throws -> Value
    ) throws -> Value {
        for _ in 1..<attempts {
            do {
                return try part()
            } catch let error as DaemonError where codes.contains(error.code) {
                Terminal.writeError("relctl: \(PrintableText(error.message).text): try again\n")
            }
        }
        return try part()
    }

    /// - Returns: the answer, or `proposal` for an empty one.
    static func choice(_ question: String, proposal: String) -> String {
        Terminal.writeError("\(question) [\(proposal)] ")
        let answer = readLine() ?? ""
        return answer.isEmpty ? proposal : answer
    }

    static func text(_ what: String) -> String {
        Terminal.writeError("\(what): ")
        return readLine() ?? ""
    }

    /// Asks until there is an answer, three times at most. An empty answer selects the proposal.
    ///
    /// - Throws: `Failure` if every answer is empty.
    static func needed(_ what: String, proposal: String) throws -> String {
        for _ in 0..<attempts {
            let answer = text(proposal.isEmpty ? what : "\(what) [\(Printable(proposal))]")
            if !answer.isEmpty || !proposal.isEmpty { return answer.isEmpty ? proposal : answer }
        }
        throw Failure(.usage, "no \(what) was given")
    }

    /// Asks for an optional value. An empty answer keeps the present value, and "-" removes it.
    static func changed(_ what: String, from present: String?) -> String? {
        guard let present else { return optionalText(what) }
        let answer = text("\(what) [\(Printable(present)); - for none]")
        return answer.isEmpty ? present : answer == "-" ? nil : answer
    }

    /// - Returns: nil for an empty answer.
    static func optionalText(_ what: String) -> String? {
        let answer = text("\(what) (empty for none)")
        return answer.isEmpty ? nil : answer
    }

    /// - Returns: false only if the answer begins with n.
    static func isNotNo(_ question: String) -> Bool {
        guard Terminal.inputIsTerminal else { return false }
        Terminal.writeError("\(question) [Y/n] ")
        guard let answer = readLine() else { return false }
        return !answer.lowercased().hasPrefix("n")
    }
}
