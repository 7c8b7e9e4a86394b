// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform
import VarlinkService

/// Login that `Credentials.AddLogin` describes. Its password follows the call.
struct RequestedLogin: LoginSource {
    private let draft: LoginDraft
    private let agreement: PinAgreement
    private let secret: RequestedPassword

    /// - Throws: `CredentialsAPI.InvalidLoginError` for a value that is not valid.
    init(_ call: TypedCall<CredentialsAPI.AddLoginCall>) throws {
        let parameters = call.parameters
        draft = LoginDraft(
            name: parameters.name,
            user: parameters.user,
            domain: parameters.domain ?? "",
            schema: parameters.schema ?? "",
            userKey: try parameters.userKey.map { try UserKey(checking: $0) } ?? .userID,
            extras: (parameters.extras ?? []).map { LoginExtra(key: $0.key, value: $0.value) }
        )
        agreement = try PinAgreement(
            pin: parameters.pin,
            trust: parameters.trust,
            allowPlaintext: parameters.allowPlaintext
        )
        secret = RequestedPassword(isTried: parameters.test ?? true, call: call.untyped)
        guard !draft.user.isEmpty else { throw CredentialsAPI.InvalidLoginError(message: "the user is empty") }
    }

    var trust: ServerTrust? { agreement.trust }
    var isTried: Bool { secret.isTried }

    func agree(to proposal: ServerProposal) async throws { try await agreement.agree(to: proposal) }

    func name(at endpoint: Endpoint) -> String? { draft.name(at: endpoint) }

    func draft(for proposal: ServerProposal) -> LoginDraft { draft }

    func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        try await secret.password(for: login, after: refusal)
    }
}

extension UserKey {
    /// - Throws: `CredentialsAPI.InvalidLoginError` for a text that is no key of a user.
    init(checking text: String) throws {
        guard let key = UserKey(rawValue: text) else {
            let names = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw CredentialsAPI.InvalidLoginError(message: "the user's key is \(names), not '\(Printable(text))'")
        }
        self = key
    }
}
