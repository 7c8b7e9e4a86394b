// SPDX-License-Identifier: Apache-2.0

import Credentials
import JSON
import LocalAPI
import Platform
import Varlink
import VarlinkService

/// Making and opening the vault.
extension CredentialsInterface {
    func listProviders(_ call: VarlinkCall) async throws {
        let proposals = try await store.proposals()
        let best = KeyProposal.best(of: proposals)
        let records = proposals.map { proposal in
            ProviderRecord(
                kind: "\(proposal.kind)",
                available: proposal.obstacle == nil,
                reason: proposal.obstacle.map(Self.reason),
                strength: proposal.kind.strength,
                proposed: proposal.kind == best
            )
        }
        call.reply(["providers": .array(records.map { .object($0.json) })])
    }

    /// The kind stands beside it already.
    private static func reason(_ error: CredentialError) -> String {
        if case .providerUnavailable(_, let reason) = error { return reason }
        return error.reason
    }

    func makeVault(_ call: VarlinkCall) async throws {
        let request = try KeyRequestParameters(call.parameters)
        let wantsCode = try call.parameters.optionalBool("recoveryCode") ?? false
        await store.refresh()
        // Nobody types a passphrase for a vault that is not going to be made.
        guard await store.state == .absent else { throw CredentialError.vaultExists(path: await store.status.path) }
        let offer = try await offer(of: request.kind, call)
        let code = wantsCode ? try await self.offer(of: .recoveryCode, call) : nil
        try await store.create(offer, extra: code, label: request.label)
        try await replyWithVault(call)
    }

    func unlock(_ call: VarlinkCall) async throws {
        let word = try call.parameters.optionalString("provider")
        await store.refresh()
        let status = await store.status
        guard status.state != .absent else { throw CredentialError.noVault(path: status.path) }
        if status.state != .unlocked, let fault = status.fault { throw fault }
        if let word {
            guard let kind = KeyProviderKind(word) else { throw VarlinkError.invalidParameter("provider") }
            try await store.unlock(try await offer(of: kind, call))
        } else if call.wantsUpgrade {
            try await store.unlock(try await offer(of: .passphrase, call))
        } else {
            try await store.unlock()
        }
        try await replyWithVault(call)
    }

    /// What the caller brings: a secret over the connection where a person types one.
    func offer(of kind: KeyProviderKind, _ call: VarlinkCall) async throws -> KeyOffer {
        switch kind {
        case .passphrase: .passphrase(try await shared(call, SecretLineReader.maximumPassphraseBytes))
        case .recoveryCode: .recoveryCode(try await shared(call, RecoveryCode.maximumTextBytes))
        default: .provider(kind)
        }
    }

    func shared(_ call: VarlinkCall, _ maximumBytes: Int) async throws -> SharedSecret {
        SharedSecret(try await secret(of: call, maximumBytes: maximumBytes))
    }
}
