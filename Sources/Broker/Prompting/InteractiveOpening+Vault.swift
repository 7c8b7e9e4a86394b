// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Prompts

extension InteractiveOpening {
    private static let vault = "vault"

    /// Prompts the user for the vault's passphrase until the vault is open, if it has a passphrase slot.
    func unlock(for endpoint: Endpoint?, _ asking: Asking) async throws {
        guard await store.status.slots.contains(where: { $0.kind == .passphrase }) else { throw CredentialError.locked }
        let before = await store.locks
        let use = endpoint.map { "the server \(ShownText.quoted($0.name))" } ?? Self.text(ofLogin: asking.order.login)
        var tries = Tries()
        var remark: String?
        repeat {
            let question = asking.questions.passphrase(for: use, remark: remark)
            let answer = try await ask(question, about: Self.vault, asking.turn, since: before)
            if !tries.wasRefused(answer), try await opens(answer) { return }
            remark = tries.failed(answer, because: "this does not open the vault")
        } while remark != nil
        throw CredentialError.wrongKey
    }

    private func opens(_ answer: SharedSecret) async throws -> Bool {
        do {
            try await store.unlock(.passphrase(answer))
            return true
        } catch CredentialError.wrongKey, CredentialError.invalid {
            return false
        }
    }

    private static func text(ofLogin name: String?) -> String {
        name.map { "the login \(ShownText.quoted($0))" } ?? "a login"
    }

    /// Prompts the user until there is an answer or the vault is locked. An answer to a prompt from before a lock has
    /// no effect.
    ///
    /// - Parameters:
    ///   - locks: the vault's lock count when the operation began.
    ///   - limit: a timeout of this prompt, shorter than the turn's.
    func ask(
        _ question: PromptQuestion,
        about subject: String,
        _ turn: PromptTurn,
        since locks: UInt64,
        within limit: Duration? = nil
    ) async throws -> SharedSecret {
        let answer = try await withThrowingTaskGroup(of: SharedSecret.self) { group in
            group.addTask { try await turn.ask(question, about: subject, within: limit) }
            group.addTask { [store] in
                for await count in await store.lockCounts() where count != locks { throw CredentialError.locked }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
        try await store.checkNotLocked(since: locks)
        return answer
    }
}
