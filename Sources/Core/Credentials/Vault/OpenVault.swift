// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// An unlocked vault at one save. A change makes another object. The data key is wiped when the last object is
/// released.
final class OpenVault: Sendable {
    let header: VaultHeader
    /// SHA-256 of the whole file.
    let hash: [UInt8]
    let key: DataKey
    let payload: VaultPayload
    let keys: VaultKeys

    /// Opens a file.
    ///
    /// - Throws: `CredentialError.damaged`. The data key is the right one, because the commitment of its slot
    ///   matched.
    init(_ file: VaultFile, key: DataKey) throws(CredentialError) {
        let tag = try translated(key.headerTag(of: Array(file.headerBeforeTag), saveSalt: file.header.saveSalt))
        guard ConstantTime.areEqual(tag, Array(file.headerTag)) else { throw .damaged(.headerTag) }
        (payload, keys) = try Self.decrypt(file, key)
        header = file.header
        hash = file.hash
        self.key = key
    }

    private static func decrypt(
        _ file: VaultFile,
        _ dataKey: DataKey
    ) throws(CredentialError) -> (VaultPayload, VaultKeys) {
        try withWipedBytes(file.header.payloadByteCount) { buffer throws(CredentialError) in
            let isRight = try translating { () throws(PlatformError) in
                let key = try dataKey.payloadKey(saveSalt: file.header.saveSalt)
                let associatedData = SHA256.digest(of: Array(file.headerWithTag))
                return try file.ciphertext.span.bytes.withUnsafeBytes { sealed throws(PlatformError) in
                    try AESGCM.open(
                        sealed,
                        tag: Array(file.gcmTag),
                        key: key,
                        associatedData: associatedData,
                        into: buffer
                    )
                }
            }
            guard isRight else { throw .damaged(.payload) }
            return try PayloadCodec.decode(
                UnsafeRawBufferPointer(buffer),
                version: file.header.version,
                in: dataKey.arena
            )
        }
    }
}

extension OpenVault {
    /// Opens a vault with the secret of a provider. Tries every slot of the provider's kind.
    ///
    /// - Parameter opened: receives the slot that was opened, and its secret.
    /// - Throws: `CredentialError.wrongKey` if the secret opens no slot; `.providerUnavailable` if the vault has no
    ///   slot of this kind.
    static func open(
        _ file: VaultFile,
        kind: KeyProviderKind,
        secret: SharedSecret,
        in arena: SecretArena,
        opened: (KeySlot, borrowing Secret) -> Void = { _, _ in }
    ) throws(CredentialError) -> OpenVault {
        let slots = file.header.slots.filter { $0.kind == kind }
        guard !slots.isEmpty else { throw .providerUnavailable(kind, ProviderFault(code: .noSlot)) }
        for slot in slots {
            let slotSecret = try translated(slot.identity.slotSecret(from: secret.secret, in: arena))
            do throws(CredentialError) {
                let key = try slot.unwrap(slotSecret, storeID: file.header.storeID, in: arena)
                let vault = try OpenVault(file, key: key)
                opened(slot, slotSecret)
                return vault
            } catch {
                guard error == .wrongKey else { throw error }
            }
        }
        throw .wrongKey
    }
}

extension OpenVault {
    var record: AnchorRecord { AnchorRecord(header, hash: hash) }

    var logins: [Login] {
        let pins = Dictionary(payload.pins.map { ($0.endpoint, $0) }) { first, _ in first }
        return payload.entries.compactMap { entry in pins[entry.endpoint].map { Login(entry, $0) } }
    }

    /// The pinned endpoint of a login, with its permissions.
    func pinned(of entry: VaultEntry) throws(CredentialError) -> PinnedEndpoint {
        guard let pinned = payload.pins.first(where: { $0.endpoint == entry.endpoint }) else {
            throw .damaged(.record("login without a pin"))
        }
        return pinned
    }

    /// Opens the seal of a login's password, to send it to a server that proves `pin`: that of the login's endpoint, or of
    /// one of its alternate addresses.
    ///
    /// - Returns: nil if a command prints the password.
    /// - Throws: `CredentialError.pinMismatch`, `.pinUnverified`; also for a login with a command.
    func password(of entry: VaultEntry, pin: Pin) throws(CredentialError) -> SharedSecret? {
        let own = try pinned(of: entry)
        let places = [own] + payload.alternates(of: entry.endpoint)
        let shown = places.filter { $0.pin.isSame(as: pin) }
        guard !shown.isEmpty else { throw .pinMismatch(entry.endpoint) }
        guard shown.contains(where: \.isVerified) else { throw .pinUnverified(entry.endpoint) }
        return try secret(of: entry, pin: own.pin)
    }

    /// Opens the password of a login without the checks of `password(of:pin:)`. Use it only to seal the secret again,
    /// or to compare it. The secret must not be sent.
    ///
    /// - Returns: nil if a command prints the password.
    func secret(of entry: VaultEntry, pin: Pin) throws(CredentialError) -> SharedSecret? {
        guard let seal = entry.password.seal else { return nil }
        return SharedSecret(try seal.open(entry.binding(pin), key: key))
    }

    /// Seals every password again under another data key, each with a fresh salt.
    func resealed(for key: DataKey, random: any RandomSource) throws(CredentialError) -> VaultPayload {
        var payload = payload
        for (index, entry) in payload.entries.enumerated() {
            let pin = try pinned(of: entry).pin
            guard let secret = try secret(of: entry, pin: pin) else { continue }
            payload.entries[index].password = .sealed(
                try SealedSecret(sealing: secret.secret, entry.binding(pin), key: key, random: random)
            )
        }
        return payload
    }
}

extension Login {
    init(_ entry: VaultEntry, _ pinned: PinnedEndpoint) {
        id = entry.id
        name = entry.name
        origin = .vault
        account = entry.account
        command = entry.password.command
        self.pinned = pinned
        created = entry.created
        lastUsedDay = entry.lastUsedDay
        revision = entry.revision
    }
}

extension OpenVault {
    /// Applies a change to the vault that is on disk now, and saves it. Another program may have changed the vault
    /// since this process read it.
    ///
    /// - Parameters:
    ///   - previous: what becomes of the file that is replaced.
    ///   - change: receives the vault as it is on disk, under the lock. Do slow work before this call.
    /// - Throws: `CredentialError.conflict` if the file on disk is not a successor of this vault; any error of
    ///   `change`.
    func save(
        in folder: VaultFolder,
        previous: PreviousFile = .replaced,
        _ change: (OpenVault, inout VaultDraft) throws(CredentialError) -> Void
    ) throws(CredentialError) -> OpenVault {
        try folder.save(previous: previous) { bytes throws(CredentialError) in
            let base = try successor(try bytes.map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) })
            var draft = VaultDraft(after: base)
            draft.keys = draft.keys.with(folder.auditHead)
            try change(base, &draft)
            return draft
        }
    }

    /// Opens the file on disk with this vault's data key. Returns this object if the file is the same.
    ///
    /// - Throws: `CredentialError.conflict` if the file is not a successor of this vault.
    func successor(_ file: VaultFile?) throws(CredentialError) -> OpenVault {
        guard let file else { throw .conflict(reason: "the file is gone") }
        if file.hash == hash { return self }
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        if let suspicion = AnchorVerdict(file.record, against: record).suspicion { throw suspicion }
        return try reopened(file)
    }

    /// Opens another file of this vault with its data key.
    ///
    /// - Throws: `CredentialError.conflict` if the file belongs to another vault, or its data key was replaced.
    func reopened(_ file: VaultFile) throws(CredentialError) -> OpenVault {
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        do throws(CredentialError) {
            return try OpenVault(file, key: key)
        } catch {
            guard error == .damaged(.headerTag) else { throw error }
            throw .conflict(reason: "its key was changed; lock and unlock the vault")
        }
    }
}

/// The content of the next file of a vault.
struct VaultDraft {
    var header: VaultHeader
    var payload: VaultPayload
    var keys: VaultKeys
    var key: DataKey
}

extension VaultDraft {
    /// The first content of a vault with a new data key, which is wrapped for these slots.
    ///
    /// - Parameter slots: 1 to 8 slots.
    init(_ key: DataKey, _ slots: [NewSlot], random: any RandomSource) throws(CredentialError) {
        self.init(
            header: VaultHeader(
                storeID: key.storeID,
                generation: 1,
                previousHash: [UInt8](repeating: 0, count: 32),
                saveSalt: [],
                slots: [],
                payloadByteCount: 0
            ),
            payload: VaultPayload(),
            keys: try translated(VaultKeys.fresh(in: key.arena, from: random)),
            key: key
        )
        for slot in slots { try header.slots.add(try key.wrapped(for: slot, random: random)) }
    }

    /// The content of an open vault, as its next generation.
    init(after vault: OpenVault) {
        header = vault.header
        header.generation += 1
        header.previousHash = vault.hash
        payload = vault.payload
        keys = vault.keys
        key = vault.key
    }

    /// Makes the bytes of the file, with a fresh salt.
    ///
    /// - Throws: `CredentialError.versionTooNew` if a program with a later minor version wrote the previous file.
    func sealed(random: any RandomSource) throws(CredentialError) -> [UInt8] {
        guard !header.version.isPartlyKnown else { throw .tooNew(header.version) }
        return try PayloadCodec.withEncoded(payload, keys) { plain, version throws(CredentialError) in
            try translating { () throws(PlatformError) in
                var header = header
                header.version = version
                header.saveSalt = try random.bytes(32)
                header.payloadByteCount = plain.count
                var front = try header.encodedBeforeTag()
                front += try key.headerTag(of: front, saveSalt: header.saveSalt)
                let gcmTag = try AESGCM.seal(
                    UnsafeRawBufferPointer(plain),
                    key: try key.payloadKey(saveSalt: header.saveSalt),
                    associatedData: SHA256.digest(of: front),
                    into: plain
                )
                return front + Array(plain) + gcmTag
            }
        }
    }

    /// Opens the file that was read back after a write. Checks that it has the same bytes and opens to the same
    /// content.
    func opened(_ written: [UInt8], as bytes: [UInt8]) throws(CredentialError) -> OpenVault {
        let file = try VaultFile(parsing: written)
        guard written == bytes else { throw .damaged(.payload) }
        let vault = try OpenVault(file, key: key)
        guard vault.payload == payload, vault.keys.isSame(as: keys) else { throw .damaged(.record("read back")) }
        return vault
    }
}

extension VaultPayload {
    /// Seals the secret of an entry again, with a fresh salt, as its next revision. A command has no seal, and stays.
    ///
    /// - Parameters:
    ///   - password: the new one; nil keeps the stored one.
    ///   - new: the pin that the new seal is bound to.
    mutating func reseal(
        _ index: Int,
        _ vault: OpenVault,
        from old: Pin,
        to new: Pin,
        password: SharedSecret?,
        random: any RandomSource
    ) throws(CredentialError) {
        let entry = entries[index]
        entries[index].revision += 1
        var secret = password
        if secret == nil { secret = try vault.secret(of: entry, pin: old) }
        guard let secret else { return }
        let binding = entries[index].binding(new)
        entries[index].password = .sealed(
            try SealedSecret(sealing: secret.secret, binding, key: vault.key, random: random)
        )
    }
}
