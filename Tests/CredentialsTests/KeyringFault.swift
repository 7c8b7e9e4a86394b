// SPDX-License-Identifier: Apache-2.0

/// One row of the matrix: a keyring that fails, the attempt to use it, and the expected reason.
struct KeyringFault: Sendable, CustomStringConvertible {
    enum Attempt: String, Sendable {
        /// The daemon starts, and no user waits.
        case start
        /// The user unlocks the vault, and may be prompted.
        case unlock
        case create
        case probe
    }

    enum Outcome: Sendable {
        /// `providerUnavailable`, with this text in its reason.
        case unavailable(String)
        case wrongKey
    }

    /// The name of the fault in fake_keyring.py.
    let fault: String
    let attempt: Attempt
    let outcome: Outcome

    var description: String { "\(fault), \(attempt.rawValue)" }

    init(_ fault: String, _ attempt: Attempt, _ outcome: Outcome) {
        self.fault = fault
        self.attempt = attempt
        self.outcome = outcome
    }

    static let all: [KeyringFault] = [
        KeyringFault("locked", .start, .unavailable("the keyring is locked")),
        KeyringFault("hidden", .start, .unavailable("the keyring is locked")),
        KeyringFault("unanswered", .start, .unavailable("the keyring is locked")),
        KeyringFault("unanswered", .unlock, .unavailable("password was not answered within")),
        KeyringFault("unanswered", .create, .unavailable("password was not answered within")),
        KeyringFault("dismissed", .unlock, .unavailable("nobody gave its password")),
        KeyringFault("dismissed", .create, .unavailable("nobody gave its password")),
        KeyringFault("prompt-vanishes", .unlock, .unavailable("nobody gave its password")),
        KeyringFault("create-prompts", .create, .unavailable("password was not answered within")),
        KeyringFault("wrong-bytes", .start, .wrongKey),
        KeyringFault("wrong-bytes", .unlock, .wrongKey),
        KeyringFault("wrong-length", .start, .unavailable("is 31 bytes long, not 32")),
        KeyringFault("empty", .start, .unavailable("is 0 bytes long, not 32")),
        KeyringFault("too-large", .start, .unavailable("larger than any of ours")),
        KeyringFault("deleted", .start, .unavailable("has no key for this vault")),
        KeyringFault("deleted", .unlock, .unavailable("has no key for this vault")),
        KeyringFault("deleted-meanwhile", .start, .unavailable("has no key for this vault")),
        KeyringFault("duplicates", .start, .unavailable("more than one item where this vault has one")),
        KeyringFault("duplicates", .unlock, .unavailable("more than one item where this vault has one")),
        KeyringFault("duplicates", .create, .unavailable("more than one item where this vault has one")),
        KeyringFault("vanishes", .start, .unavailable("went away in the middle of a call")),
        KeyringFault("vanishes-while-storing", .create, .unavailable("went away in the middle of a call")),
        KeyringFault("silent", .start, .unavailable("did not answer within")),
        KeyringFault("silent", .create, .unavailable("did not answer within")),
        KeyringFault("plain-session", .start, .unavailable("does not encrypt what crosses the bus")),
        KeyringFault("plain-session", .create, .unavailable("does not encrypt what crosses the bus")),
        KeyringFault("no-default", .create, .unavailable("there is no default keyring")),
        KeyringFault("session-default", .create, .unavailable("forgotten at the end of the session")),
        KeyringFault("not-kept", .create, .unavailable("did not keep what was stored")),
        KeyringFault("lost", .create, .unavailable("No such secret item")),
        KeyringFault("unanswered", .probe, .unavailable("the keyring is locked")),
        KeyringFault("not-removed", .probe, .unavailable("did not keep what was stored")),
        KeyringFault("error-reply", .start, .unavailable(#"refused (the disk is \u{1B}[31mfull)"#)),
        KeyringFault("error-reply", .create, .unavailable(#"refused (the disk is \u{1B}[31mfull)"#)),
    ]
}
