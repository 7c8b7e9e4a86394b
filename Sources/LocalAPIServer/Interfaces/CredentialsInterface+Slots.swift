// SPDX-License-Identifier: Apache-2.0

import Credentials
import JSON
import Platform
import Varlink
import VarlinkService

/// The key slots of the vault. All of it needs an unlocked vault, which is told before a secret is asked for.
extension CredentialsInterface {
    /// No call brings more secrets than there can be slots.
    private static let maximumSecrets = 8

    func addSlot(_ call: VarlinkCall) async throws {
        let request = try KeyRequestParameters(call.parameters)
        try await store.checkUnlocked()
        try await store.addSlot(try await offer(of: request.kind, call), label: request.label)
        try await replyWithVault(call)
    }

    func removeSlot(_ call: VarlinkCall) async throws {
        let note = try await store.removeSlot(
            try call.parameters.string("slot"),
            isForced: try call.parameters.optionalBool("force") ?? false
        )
        try await replyWithVault(call, note: note.map { "the slot is gone, but its key was not removed: \($0.reason)" })
    }

    func rewrapSlot(_ call: VarlinkCall) async throws {
        let slot = try call.parameters.string("slot")
        try await store.checkUnlocked()
        let secret = call.wantsUpgrade ? try await shared(call, SecretLineReader.maximumPassphraseBytes) : nil
        try await store.rewrapSlot(slot, presenting: secret)
        try await replyWithVault(call)
    }

    func labelSlot(_ call: VarlinkCall) async throws {
        try await store.labelSlot(try call.parameters.string("slot"), try call.parameters.string("label"))
        try await replyWithVault(call)
    }

    func changePassphrase(_ call: VarlinkCall) async throws {
        try await store.checkUnlocked()
        let old = try await shared(call, SecretLineReader.maximumPassphraseBytes)
        let new = try await shared(call, SecretLineReader.maximumPassphraseBytes)
        try await store.changePassphrase(from: old, to: new)
        try await replyWithVault(call)
    }

    func rotateKey(_ call: VarlinkCall) async throws {
        let presented = try call.parameters.strings("present")
        let dropped = try call.parameters.strings("drop")
        let isForced = try call.parameters.optionalBool("force") ?? false
        guard presented.count <= Self.maximumSecrets else { throw VarlinkError.invalidParameter("present") }
        guard dropped.count <= Self.maximumSecrets else { throw VarlinkError.invalidParameter("drop") }
        try await store.checkUnlocked()
        var secrets: [(slot: String, secret: SharedSecret)] = []
        for slot in presented {
            secrets.append((slot, try await shared(call, SecretLineReader.maximumPassphraseBytes)))
        }
        let note = try await store.rotateKey(presenting: secrets, dropping: dropped, isForced: isForced)
        try await replyWithVault(call, note: note.map { "the slot is gone, but its key was not removed: \($0.reason)" })
    }
}
