// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Prompts

/// Passwords that a person types for one login, three at most.
struct PromptedPassword: PasswordSource {
    let isTried = true
    private let opening: InteractiveOpening
    private let asking: Asking
    private let endpoint: Endpoint
    private let locks: UInt64
    /// The login whose stored password was refused; nil for a new login.
    private let refused: Login?
    private let failure: @Sendable (_ reason: String) -> BrokerError
    /// Shown with the question.
    var identity: ServerIdentity?

    private var tries = Tries()
    private var last: SharedSecret?
    private var remark: String?
    private var reason: String

    /// - Parameter locks: how often the vault had been locked when this began.
    init(forNewLoginAt endpoint: Endpoint, _ opening: InteractiveOpening, _ asking: Asking, since locks: UInt64) {
        self.opening = opening
        self.asking = asking
        self.endpoint = endpoint
        self.locks = locks
        refused = nil
        reason = ""
        failure = { [name = endpoint.name] in .newLoginRejected(endpoint: name, reason: $0) }
    }

    /// - Parameter login: the stored one, whose password was refused.
    init(
        replacingThatOf login: Login,
        at endpoint: Endpoint,
        _ opening: InteractiveOpening,
        _ asking: Asking,
        since locks: UInt64
    ) {
        self.opening = opening
        self.asking = asking
        self.endpoint = endpoint
        self.locks = locks
        refused = login
        remark = "the server refused the stored password"
        reason = "it is the password that was refused before"
        failure = { [name = login.name] in .loginRejected(login: name, reason: $0) }
    }

    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        if case .loginRejected(_, let said)? = refusal, let last {
            reason = said
            try countFailure(of: last)
        }
        while true {
            let question = asking.questions.password(of: login, at: endpoint, identity, remark: remark)
            let answer = try await opening.ask(question, about: endpoint.id.text, asking.turn, since: locks)
            if !tries.wasRefused(answer), try await !isStored(answer) {
                last = answer
                return try answer.secret.duplicate(in: try SecretArena(byteCount: PromptLimits.answerBytes))
            }
            try countFailure(of: answer)
        }
    }

    private mutating func countFailure(of answer: SharedSecret) throws(BrokerError) {
        remark = tries.failed(answer, because: "the server refused it")
        guard remark != nil else { throw failure(reason) }
    }

    private func isStored(_ answer: SharedSecret) async throws -> Bool {
        guard let refused else { return false }
        return try await opening.store.withPassword(of: refused.id, pin: refused.pin) { stored in
            answer.secret.withBytes { ConstantTime.areEqual($0, stored) }
        }
    }
}
