// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import LocalAPI
import Platform
import Registry
import Varlink
import VarlinkService

/// `org.relativityd.Credentials`: here the vault as a whole; its slots, its copies, the logins and the pins are in
/// extensions.
struct CredentialsInterface: CredentialsAPIServer {
    let registry: EndpointRegistry
    let store: CredentialStore
    let broker: ConnectionBroker
    let uploads = UploadGate()

    var enrolment: Enrolment { Enrolment(broker: broker) }

    var vault: CredentialsAPI.Vault {
        get async { CredentialsAPI.Vault(await store.status) }
    }

    func getStatus(_ call: TypedCall<CredentialsAPI.GetStatusCall>) async throws {
        await store.refresh()
        call.reply(.init(vault: await vault))
    }

    func listProviders(_ call: TypedCall<CredentialsAPI.ListProvidersCall>) async throws {
        let proposals = try await store.proposals()
        let best = KeyProposal.best(of: proposals)
        let providers = proposals.map { proposal in
            CredentialsAPI.Provider(
                kind: "\(proposal.kind)",
                available: proposal.obstacle == nil,
                reason: proposal.obstacle.map(Self.reason),
                strength: proposal.kind.strength,
                proposed: proposal.kind == best
            )
        }
        call.reply(.init(providers: providers))
    }

    /// The kind stands beside it already.
    private static func reason(_ error: CredentialError) -> String {
        if case .providerUnavailable(_, let reason) = error { return reason }
        return "\(error)"
    }

    func `init`(_ call: TypedCall<CredentialsAPI.InitCall>) async throws {
        let parameters = call.parameters
        let request = try KeyRequestParameters(
            provider: parameters.provider,
            label: parameters.label,
            insecureKeyFile: parameters.insecureKeyFile
        )
        await store.refresh()
        // Before the user types a passphrase: a vault that is there already is an error.
        guard await store.state == .absent else { throw CredentialError.vaultExists(path: await store.status.path) }
        let offer = try await offer(of: request.kind, call.untyped)
        let code = parameters.recoveryCode == true ? try await self.offer(of: .recoveryCode, call.untyped) : nil
        try await store.create(offer, extra: code, label: request.label)
        call.reply(.init(vault: await vault))
    }

    func unlock(_ call: TypedCall<CredentialsAPI.UnlockCall>) async throws {
        await store.refresh()
        let status = await store.status
        guard status.state != .absent else { throw CredentialError.noVault(path: status.path) }
        if status.state != .unlocked, let fault = status.fault { throw fault }
        if let word = call.parameters.provider {
            guard let kind = KeyProviderKind(word) else { throw VarlinkError.invalidParameter("provider") }
            try await store.unlock(try await offer(of: kind, call.untyped))
        } else if call.untyped.wantsUpgrade {
            try await store.unlock(try await offer(of: .passphrase, call.untyped))
        } else {
            try await store.unlock()
        }
        call.reply(.init(vault: await vault))
    }

    func lock(_ call: TypedCall<CredentialsAPI.LockCall>) async throws {
        await store.lock()
        call.reply(.init(vault: await vault))
    }

    func accept(_ call: TypedCall<CredentialsAPI.AcceptCall>) async throws {
        guard let generation = UInt64(exactly: call.parameters.generation) else {
            throw VarlinkError.invalidParameter("generation")
        }
        try await store.accept(generation: generation)
        call.reply(.init(vault: await vault))
    }

    func upgrade(_ call: TypedCall<CredentialsAPI.UpgradeCall>) async throws {
        try await store.upgrade()
        call.reply(.init(vault: await vault))
    }

    // MARK: Secrets of the caller

    /// What the caller brings: a secret over the connection where a person types one.
    func offer(of kind: KeyProviderKind, _ call: VarlinkCall) async throws -> KeyOffer {
        switch kind {
        case .passphrase: .passphrase(try await shared(call, SecretLineReader.maximumPassphraseBytes))
        case .recoveryCode: .recoveryCode(try await shared(call, RecoveryCode.maximumTextBytes))
        default: .provider(kind)
        }
    }

    func shared(_ call: VarlinkCall, _ maximumBytes: Int) async throws -> SharedSecret {
        SharedSecret(try await call.secret(maximumBytes: maximumBytes))
    }
}
