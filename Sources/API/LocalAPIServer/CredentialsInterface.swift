// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform
import Registry
import Varlink
import VarlinkService

/// The interface `org.relativityd.Credentials`. The vault itself is here; its slots, its copies, the logins and the
/// pins are in extensions.
struct CredentialsInterface: CredentialsAPIServer {
    let registry: EndpointRegistry
    let store: CredentialStore
    let broker: ConnectionBroker
    let opening: InteractiveOpening
    let uploads = UploadGate()

    var enrolment: Enrolment { broker.enrolment }

    var vault: CredentialsAPI.Vault {
        get async { CredentialsAPI.Vault(await store.status) }
    }

    func getStatus(_ call: TypedCall<CredentialsAPI.GetStatusCall>) async throws {
        await store.refresh()
        call.reply(.init(vault: await vault))
    }

    func listProviders(_ call: TypedCall<CredentialsAPI.ListProvidersCall>) async throws {
        let checks = try await store.checkProviders()
        let best = ProviderCheck.best(of: checks)
        let providers = checks.map { check in
            CredentialsAPI.Provider(
                kind: "\(check.kind)",
                available: check.obstacle == nil,
                reason: check.obstacle,
                strength: check.kind.strength,
                proposed: check.kind == best
            )
        }
        call.reply(.init(providers: providers))
    }

    func `init`(_ call: TypedCall<CredentialsAPI.InitCall>) async throws {
        let parameters = call.parameters
        let kind = try parameters.checkedKind()
        await store.refresh()
        // Check before the user types a passphrase: an existing vault is an error.
        let status = await store.status
        if let fault = status.accessFault { throw fault }
        guard status.hasRoom else { throw CredentialError.vaultExists(path: status.path) }
        if status.state != .absent, let fault = status.fault { throw fault }
        let input = try await input(of: kind, call.untyped)
        let code = parameters.recoveryCode == true ? try await self.input(of: .recoveryCode, call.untyped) : nil
        try await store.create(input, extra: code, label: parameters.label ?? "")
        call.reply(.init(vault: await vault))
    }

    func unlock(_ call: TypedCall<CredentialsAPI.UnlockCall>) async throws {
        await store.refresh()
        let status = await store.status
        guard status.state != .absent else { throw status.fault ?? CredentialError.noVault(path: status.path) }
        if status.state != .unlocked, let fault = status.fault { throw fault }
        if let word = call.parameters.provider {
            guard let kind = KeyProviderKind(word) else { throw VarlinkError.invalidParameter("provider") }
            try await store.unlock(try await input(of: kind, call.untyped))
        } else if call.untyped.wantsUpgrade {
            try await store.unlock(try await input(of: .passphrase, call.untyped))
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

    /// Returns the caller's input to open the vault. A passphrase or a recovery code is read from the connection.
    func input(of kind: KeyProviderKind, _ call: VarlinkCall) async throws -> UnlockInput {
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

/// The key slots of the vault. Every method needs an unlocked vault, and checks this before it asks for a secret.
extension CredentialsInterface {
    /// The limit of secrets in one call, which is the limit of slots.
    private static let maximumSecrets = 8

    func addSlot(_ call: TypedCall<CredentialsAPI.AddSlotCall>) async throws {
        let kind = try call.parameters.checkedKind()
        try await store.checkUnlocked()
        try await store.change(.add(try await input(of: kind, call.untyped), label: call.parameters.label ?? ""))
        call.reply(.init(vault: await vault))
    }

    func removeSlot(_ call: TypedCall<CredentialsAPI.RemoveSlotCall>) async throws {
        let leftover = try await store.change(.remove(call.parameters.slot, isForced: call.parameters.force ?? false))
        call.reply(.init(vault: await vault, note: Self.note(on: leftover)))
    }

    func rewrapSlot(_ call: TypedCall<CredentialsAPI.RewrapSlotCall>) async throws {
        try await store.checkUnlocked()
        let secret =
            call.untyped.wantsUpgrade
            ? try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes) : nil
        try await store.change(.rewrap(call.parameters.slot, presenting: secret))
        call.reply(.init(vault: await vault))
    }

    func labelSlot(_ call: TypedCall<CredentialsAPI.LabelSlotCall>) async throws {
        try await store.change(.label(call.parameters.slot, call.parameters.label))
        call.reply(.init(vault: await vault))
    }

    func changePassphrase(_ call: TypedCall<CredentialsAPI.ChangePassphraseCall>) async throws {
        try await store.checkUnlocked()
        let old = try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes)
        let new = try await shared(call.untyped, SecretLineReader.maximumPassphraseBytes)
        try await store.change(.passphrase(from: old, to: new))
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
        let leftover = try await store.change(.rotate(presenting: secrets, dropping: dropped, isForced: isForced))
        call.reply(.init(vault: await vault, note: Self.note(on: leftover)))
    }

    private static func note(on leftover: CredentialError?) -> String? {
        leftover.map { "the slot is gone, but its key was not removed: \($0)" }
    }
}

/// The pins of endpoints.
extension CredentialsInterface {
    func listPins(_ call: TypedCall<CredentialsAPI.ListPinsCall>) async throws {
        let pins = try await store.boundLogins().sorted { $0.pin.endpoint.text < $1.pin.endpoint.text }
        call.reply(.init(pins: try pins.map { try CredentialsAPI.Pin($0.pin, logins: $0.logins) }))
    }

    func pinEndpoint(_ call: TypedCall<CredentialsAPI.PinEndpointCall>) async throws {
        let new = try await pin(by: call.parameters)
        try await store.pin(new)
        await registry.remember(new.endpoint)
        call.reply(.init(pin: try await record(of: new.endpoint)))
    }

    func repinEndpoint(_ call: TypedCall<CredentialsAPI.RepinEndpointCall>) async throws {
        let new = try await pin(by: call.parameters)
        // Sessions with the old identity end, and their record of refusals too.
        for login in try await store.repin(new) { await broker.forget(login.id) }
        await registry.remember(new.endpoint)
        await registry.forgetContact(with: new.endpoint)
        call.reply(.init(pin: try await record(of: new.endpoint)))
    }

    func forgetPin(_ call: TypedCall<CredentialsAPI.ForgetPinCall>) async throws {
        let endpoint = try await endpointID(call.parameters.endpoint)
        let removed = try await store.unpin(endpoint, includingLogins: call.parameters.logins ?? false)
        for login in removed { await broker.forget(login.id) }
        call.reply(.init(logins: removed.map(\.name)))
    }

    private func record(of endpoint: EndpointID) async throws -> CredentialsAPI.Pin {
        guard let pinned = try await store.pinned(endpoint) else { throw CredentialError.notPinned(endpoint) }
        return try CredentialsAPI.Pin(pinned, logins: try await store.logins(boundTo: endpoint))
    }

    private func pin(by parameters: some PinParameters) async throws -> PinnedEndpoint {
        let agreement = try PinAgreement(parameters)
        let endpoint = try await registry.find(parameters.endpoint)
        return try await DaemonError.naming(endpoint.id) { try await enrolment.pin(of: endpoint, by: agreement) }
    }

    /// A pin may outlive its endpoint, so an ID is accepted even if the endpoint is no longer in the list.
    private func endpointID(_ reference: String) async throws -> EndpointID {
        if let id = EndpointID(reference), try await store.pinned(id) != nil { return id }
        return try await registry.find(reference).id
    }
}

extension CredentialsAPI.Pin {
    fileprivate init(_ pinned: PinnedEndpoint, logins: [Login]) throws {
        let fingerprint = Fingerprint(of: pinned.pin)
        self.init(
            endpoint: pinned.endpoint.text,
            strength: pinned.pin.strength,
            authority: pinned.pin.authorityHost,
            fingerprint: fingerprint.text,
            words: fingerprint.words,
            allowPlaintext: pinned.allowsPlaintext,
            verified: pinned.isVerified,
            logins: logins.map(\.name).sorted()
        )
    }
}

/// Parameters that name the key provider.
protocol KeyParameters {
    var provider: String { get }
    var insecureKeyFile: Bool? { get }
}

extension KeyParameters {
    /// Returns the key provider.
    ///
    /// - Throws: `DaemonError.providerUnavailable` if there is no such key provider;
    ///   `VarlinkError.invalidParameter` for a key file unless `insecureKeyFile` is true.
    func checkedKind() throws -> KeyProviderKind {
        guard let kind = KeyProviderKind(provider) else {
            throw DaemonError.providerUnavailable(
                message: "'\(Printable(provider))' is not a key provider",
                provider: provider
            )
        }
        guard kind != .keyFile || insecureKeyFile == true else {
            throw VarlinkError.invalidParameter("insecureKeyFile")
        }
        return kind
    }
}

extension CredentialsAPI.InitCall: KeyParameters {}
extension CredentialsAPI.AddSlotCall: KeyParameters {}
