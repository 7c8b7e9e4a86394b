// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeyringWire
import Platform

extension KeyringRun.Failure: CustomStringConvertible {
    /// Each failure has words of its own.
    var description: String {
        switch self {
        case .keyring(let failure, let detail):
            detail.isEmpty || !failure.isExplained ? failure.reason : "\(failure.reason) (\(detail))"
        case .unanswered(let patience): "the keyring's question for its password was not answered within \(patience)"
        case .silent(let patience): "the Secret Service did not answer within \(patience)"
        case .noHelper(let path, let number): "cannot start '\(path)': \(String(cString: strerror(number)))"
        case .helperEnded(let status):
            status & 0x7F == 0
                ? "its helper ended with status \(status >> 8 & 0xFF) and no answer"
                : "its helper was ended by signal \(status & 0x7F)"
        case .notUnderstood: "its helper is of another version than the daemon; restart the daemon"
        case .local(let error): error.description
        }
    }
}

extension KeyringFailure {
    /// As a fragment.
    var reason: String {
        switch self {
        case .noBus: "there is no session bus"
        case .noService: "no program on the session bus keeps secrets"
        case .locked: "the keyring is locked"
        case .dismissed: "the keyring stays locked: nobody gave its password"
        case .notFound: "the keyring has no key for this vault; was it deleted?"
        case .duplicates:
            "the keyring has more than one item where this vault has one; remove the wrong one with its own program"
        case .noDefaultCollection: "there is no default keyring; make one with the desktop's password program"
        case .sessionCollection: "the default keyring is forgotten at the end of the session"
        case .plainSession: "the Secret Service does not encrypt what crosses the bus"
        case .notKept: "the Secret Service did not keep what was stored"
        case .vanished: "the Secret Service went away in the middle of a call"
        case .noAnswer: "the Secret Service did not answer a call"
        case .tooLarge: "the keyring's item is larger than any of ours"
        case .refused: "the Secret Service refused"
        case .badQuestion: "its helper is of another version than the daemon; restart the daemon"
        case .helper: "its helper has no safe place for a key"
        }
    }

    /// Whether the other side's own words add something.
    var isExplained: Bool {
        switch self {
        case .noBus, .noService, .refused, .helper: true
        default: false
        }
    }
}
