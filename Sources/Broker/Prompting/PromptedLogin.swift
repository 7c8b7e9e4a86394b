// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Prompts

/// New login that a person is asked for, as far as the caller has not described it.
struct PromptedLogin: LoginSource {
    let trust: ServerTrust? = nil
    private let opening: InteractiveOpening
    private let asking: Asking
    private let locks: UInt64
    private var passwords: PromptedPassword

    /// - Parameter locks: how often the vault had been locked when this began.
    init(at endpoint: Endpoint, _ opening: InteractiveOpening, _ asking: Asking, since locks: UInt64) {
        self.opening = opening
        self.asking = asking
        self.locks = locks
        passwords = PromptedPassword(forNewLoginAt: endpoint, opening, asking, since: locks)
    }

    func agree(to proposal: ServerProposal) async throws {
        let endpoint = proposal.endpoint
        switch proposal.standing {
        case .known: return
        case .unverified: throw BrokerError.identityUnverified
        case .other: throw CredentialError.pinMismatch(endpoint.id)
        case .new, .plaintextOpen:
            let question = try asking.questions.agreement(
                to: endpoint,
                proposal.identity,
                isKnown: proposal.standing == .plaintextOpen
            )
            _ = try await opening.ask(question, about: endpoint.id.text, asking.turn, since: locks)
        }
    }

    func name(at endpoint: Endpoint) -> String? { nil }

    mutating func draft(for proposal: ServerProposal) async throws -> LoginDraft {
        passwords.identity = proposal.identity
        let endpoint = proposal.endpoint
        return LoginDraft(
            user: try await user(for: proposal),
            domain: asking.outline?.domain ?? endpoint.loginDomain ?? "",
            schema: asking.outline?.schema ?? endpoint.loginSchema ?? ""
        )
    }

    private func user(for proposal: ServerProposal) async throws -> String {
        if let user = asking.outline?.user, !user.isEmpty { return user }
        let endpoint = proposal.endpoint
        let question = try asking.questions.user(at: endpoint, proposal.identity)
        let answer = try await opening.ask(question, about: endpoint.id.text, asking.turn, since: locks)
        let user = answer.secret.withBytes { String(validating: $0, as: UTF8.self) }
        guard let user, !user.isEmpty else { throw PromptError.dismissed }
        return user
    }

    var isTried: Bool { passwords.isTried }

    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        try await passwords.password(for: login, after: refusal)
    }
}
