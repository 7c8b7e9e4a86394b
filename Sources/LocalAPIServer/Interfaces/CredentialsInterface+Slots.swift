// SPDX-License-Identifier: Apache-2.0

import Credentials
import LocalAPI
import Platform
import Varlink
import VarlinkService

/// The key slots of the vault. All of it needs an unlocked vault, which is told before a secret is asked for.
extension CredentialsInterface {
    /// No call brings more secrets than there can be slots.
    private static let maximumSecrets = 8

    func addSlot(_ call: TypedCall<CredentialsAPI.AddSlotCall>) async throws {
        let parameters = call.parameters
        let request = try KeyRequestParameters(
            provider: parameters.provider,
            label: parameters.label,
            insecureKeyFile: parameters.insecureKeyFile
        )
        try await store.checkUnlocked()
        try await store.addSlot(try await offer(of: request.kind, call.untyped), label: request.label)
        call.reply(.init(vault: await vault))
    }

    func removeSlot(_ call: TypedCall<CredentialsAPI.RemoveSlotCall>) async throws {
        let leftover = try await store.removeSlot(call.parameters.slot, isForced: call.parameters.force ?? false)
        call.reply(.init(vault: await vault, note: Self.note(on: leftover)))
    }

    func rewrapSlot(_ call: TypedCall<CredentialsAPI.RewrapSlotCall>) async throws {
        try await store.checkUnlocked()
        let secret =
            call.untyped.wantsUpgrade
            ? try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes) : nil
        try await store.rewrapSlot(call.parameters.slot, presenting: secret)
        call.reply(.init(vault: await vault))
    }

    func labelSlot(_ call: TypedCall<CredentialsAPI.LabelSlotCall>) async throws {
        try await store.labelSlot(call.parameters.slot, call.parameters.label)
        call.reply(.init(vault: await vault))
    }

    func changePassphrase(_ call: TypedCall<CredentialsAPI.ChangePassphraseCall>) async throws {
        try await store.checkUnlocked()
        let old = try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes)
        let new = try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes)
        try await store.changePassphrase(from: old, to: new)
        call.reply(.init(vault: await vault))
    }

    func rotateKey(_ call: TypedCall<CredentialsAPI.RotateKeyCall>) async throws {
        let (presented, dropped) = (call.parameters.present, call.parameters.drop)
        guard presented.count <= Self.maximumSecrets else { throw VarlinkError.invalidParameter("present") }
        guard dropped.count <= Self.maximumSecrets else { throw VarlinkError.invalidParameter("drop") }
        try await store.checkUnlocked()
        var secrets: [(slot: String, secret: SharedSecret)] = []
        for slot in presented {
            secrets.append((slot, try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes)))
        }
        let isForced = call.parameters.force ?? false
        let leftover = try await store.rotateKey(presenting: secrets, dropping: dropped, isForced: isForced)
        call.reply(.init(vault: await vault, note: Self.note(on: leftover)))
    }

    private static func note(on leftover: CredentialError?) -> String? {
        leftover.map { "the slot is gone, but its key was not removed: \($0)" }
    }
}
