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
        KeyringFault("unanswered", .unlock, .unavailable("prompt was not answered within")),
        KeyringFault("unanswered", .create, .unavailable("prompt was not answered within")),
        KeyringFault("dismissed", .unlock, .unavailable("its password was not given")),
        KeyringFault("dismissed", .create, .unavailable("its password was not given")),
        KeyringFault("prompt-vanishes", .unlock, .unavailable("its password was not given")),
        KeyringFault("create-prompts", .create, .unavailable("prompt was not answered within")),
        KeyringFault("wrong-bytes", .start, .wrongKey),
        KeyringFault("wrong-bytes", .unlock, .wrongKey),
        KeyringFault("wrong-length", .start, .unavailable("is 31 bytes long, not 32")),
        KeyringFault("empty", .start, .unavailable("is 0 bytes long, not 32")),
        KeyringFault("too-large", .start, .unavailable("too large for a key")),
        KeyringFault("deleted", .start, .unavailable("has no key for this vault")),
        KeyringFault("deleted", .unlock, .unavailable("has no key for this vault")),
        KeyringFault("deleted-meanwhile", .start, .unavailable("has no key for this vault")),
        KeyringFault("duplicates", .start, .unavailable("several items for this vault")),
        KeyringFault("duplicates", .unlock, .unavailable("several items for this vault")),
        KeyringFault("duplicates", .create, .unavailable("several items for this vault")),
        KeyringFault("vanishes", .start, .unavailable("exited during a call")),
        KeyringFault("vanishes-while-storing", .create, .unavailable("exited during a call")),
        KeyringFault("silent", .start, .unavailable("did not answer within")),
        KeyringFault("silent", .create, .unavailable("did not answer within")),
        KeyringFault("plain-session", .start, .unavailable("does not encrypt data on the bus")),
        KeyringFault("plain-session", .create, .unavailable("does not encrypt data on the bus")),
        KeyringFault("no-default", .create, .unavailable("there is no default keyring")),
        KeyringFault("session-default", .create, .unavailable("deleted at the end of the session")),
        KeyringFault("not-kept", .create, .unavailable("did not keep what was stored")),
        KeyringFault("lost", .create, .unavailable("No such secret item")),
        KeyringFault("unanswered", .probe, .unavailable("the keyring is locked")),
        KeyringFault("not-removed", .probe, .unavailable("did not keep what was stored")),
        KeyringFault("error-reply", .start, .unavailable(#"refused (the disk is \u{1B}[31mfull)"#)),
        KeyringFault("error-reply", .create, .unavailable(#"refused (the disk is \u{1B}[31mfull)"#)),
    ]
}
