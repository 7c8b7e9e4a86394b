// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// An unlocked vault at one save. A change makes another object. The data key is wiped when the last object is
/// released.
final class OpenVault: Sendable {
    let header: VaultHeader
    /// SHA-256 of the whole file.
    let hash: [UInt8]
    let dataKey: SharedSecret
    let payload: VaultPayload
    let keys: VaultKeys
    let schedule: KeySchedule

    /// Opens a file.
    ///
    /// - Throws: `CredentialError.damaged`. The data key is the right one, because the commitment of its slot
    ///   matched.
    init(_ file: VaultFile, dataKey: SharedSecret, schedule: KeySchedule) throws(CredentialError) {
        let header = file.header
        let tag = try translating { () throws(PlatformError) in
            try schedule.headerTag(
                of: Array(file.headerBeforeTag),
                dataKey.secret,
                storeID: header.storeID,
                saveSalt: header.saveSalt
            )
        }
        guard ConstantTime.areEqual(tag, Array(file.headerTag)) else { throw .damaged(.headerTag) }
        (payload, keys) = try Self.decrypt(file, dataKey: dataKey, schedule: schedule)
        self.header = header
        self.hash = file.hash
        self.dataKey = dataKey
        self.schedule = schedule
    }

    private static func decrypt(
        _ file: VaultFile,
        dataKey: SharedSecret,
        schedule: KeySchedule
    ) throws(CredentialError) -> (VaultPayload, VaultKeys) {
        try withWipedBytes(file.header.payloadByteCount) { room throws(CredentialError) in
            let header = file.header
            let isRight = try translating { () throws(PlatformError) in
                let key = try schedule.payloadKey(dataKey.secret, storeID: header.storeID, saveSalt: header.saveSalt)
                let associatedData = try SHA256.digest(of: Array(file.headerWithTag))
                return try file.ciphertext.span.bytes.withUnsafeBytes { sealed throws(PlatformError) in
                    try AESGCM.open(
                        sealed,
                        tag: Array(file.gcmTag),
                        key: key,
                        associatedData: associatedData,
                        into: room
                    )
                }
            }
            guard isRight else { throw .damaged(.payload) }
            return try PayloadCodec.decode(
                UnsafeRawBufferPointer(room),
                minor: file.header.minor,
                in: schedule.arena
            )
        }
    }
}

extension OpenVault {
    /// Makes a vault with a new data key, and saves it as generation 1.
    ///
    /// - Parameters:
    ///   - storeID: 16 random bytes that identify the vault permanently.
    ///   - slots: 1 to 8 slots.
    /// - Throws: `CredentialError.vaultExists` if a file exists already, whatever its content.
    static func create(
        in folder: VaultFolder,
        storeID: [UInt8],
        slots: [NewSlot],
        schedule: KeySchedule
    ) throws(CredentialError) -> OpenVault {
        // The slow derivations run before the lock is acquired.
        let draft = try draft(storeID, slots, schedule: schedule, random: folder.random)
        let payload = VaultPayload()
        let bytes = try seal(
            payload,
            draft.keys,
            header: draft.header,
            dataKey: draft.dataKey,
            schedule: schedule,
            random: folder.random
        )
        return try folder.save { file throws(CredentialError) in
            guard file == nil else { throw .vaultExists(path: folder.path) }
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: true) { written throws(CredentialError) in
                let vault = try OpenVault(written, dataKey: draft.dataKey, schedule: schedule)
                guard vault.keys.isSame(as: draft.keys) else { throw .damaged(.record("read back")) }
                return try vault.verified(written, bytes: bytes, payload: payload, keys: draft.keys)
            }
        }
    }

    /// A vault that is not sealed yet.
    struct NewVault {
        let header: VaultHeader
        let dataKey: SharedSecret
        let keys: VaultKeys
    }

    /// Makes a new data key, wrapped for these slots.
    static func draft(
        _ storeID: [UInt8],
        _ slots: [NewSlot],
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) -> NewVault {
        let dataKey = try newDataKey(schedule, random)
        let keys = try translated(VaultKeys.fresh(in: schedule.arena, from: random))
        var list = SlotList([])
        for slot in slots {
            try list.append(try slot.wrap(dataKey, storeID: storeID, schedule: schedule, random: random))
        }
        let header = VaultHeader(
            storeID: storeID,
            generation: 1,
            previousHash: [UInt8](repeating: 0, count: 32),
            saveSalt: [],
            slots: list.slots,
            payloadByteCount: 0
        )
        return NewVault(header: header, dataKey: dataKey, keys: keys)
    }

    static func newDataKey(
        _ schedule: KeySchedule,
        _ random: any RandomSource
    ) throws(CredentialError) -> SharedSecret {
        try translated(
            SharedSecret(Secret(randomBytes: KeySchedule.dataKeyByteCount, in: schedule.arena, from: random))
        )
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
        schedule: KeySchedule,
        opened: (KeySlot, borrowing Secret) -> Void = { _, _ in }
    ) throws(CredentialError) -> OpenVault {
        let slots = file.header.slots.filter { $0.kind == kind }
        guard !slots.isEmpty else { throw .providerUnavailable(kind, ProviderFault(.noSlot)) }
        for slot in slots {
            let slotSecret = try translated(schedule.slotSecret(from: secret.secret, slot.identity))
            do throws(CredentialError) {
                let dataKey = try schedule.unwrap(slot, slotSecret: slotSecret, storeID: file.header.storeID)
                let vault = try OpenVault(file, dataKey: dataKey, schedule: schedule)
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
    var logins: [Login] {
        let pins = Dictionary(payload.pins.map { ($0.endpoint, $0) }) { first, _ in first }
        return payload.entries.compactMap { entry in pins[entry.endpoint].map { Login(entry, $0) } }
    }

    /// The pin that a login is bound to.
    func pin(of entry: VaultEntry) throws(CredentialError) -> Pin { try pinned(of: entry).pin }

    /// The pinned endpoint of a login, with its permissions.
    func pinned(of entry: VaultEntry) throws(CredentialError) -> PinnedEndpoint {
        guard let pinned = payload.pins.first(where: { $0.endpoint == entry.endpoint }) else {
            throw .damaged(.record("login without a pin"))
        }
        return pinned
    }

    /// Opens the seal of a login's password.
    func password(of entry: VaultEntry, pin: Pin) throws(CredentialError) -> Secret {
        guard let pinned = payload.pins.first(where: { $0.endpoint == entry.endpoint }), pinned.pin.isSame(as: pin)
        else {
            throw .pinMismatch(entry.endpoint)
        }
        guard pinned.isVerified else { throw .pinUnverified(entry.endpoint) }
        return try secret(.password, of: entry, pin: pin)
    }

    /// Opens one secret of a login without the checks of `password(of:pin:)`. Use it only to seal the secret again, or
    /// to compare it. The secret must not be sent.
    func secret(_ field: SealedField, of entry: VaultEntry, pin: Pin) throws(CredentialError) -> Secret {
        guard let seal = field == .password ? entry.password : entry.envelope else { throw .damaged(.entry) }
        return try seal.open(binding(entry, field, pin), dataKey: dataKey, schedule: schedule)
    }

    /// The binding of one seal of a login.
    ///
    /// - Parameter pin: the pin that the login is bound to. With another pin, the seal does not open.
    func binding(_ entry: VaultEntry, _ field: SealedField, _ pin: Pin) -> SealedSecret.Binding {
        SealedSecret.Binding(
            storeID: header.storeID,
            entryID: entry.id.bytes,
            field: field,
            revision: entry.revision,
            pin: pin
        )
    }

    func seal(
        _ secret: SharedSecret,
        _ id: LoginID,
        _ field: SealedField,
        revision: UInt64,
        pin: Pin,
        random: any RandomSource
    ) throws(CredentialError) -> SealedSecret {
        let binding = SealedSecret.Binding(
            storeID: header.storeID,
            entryID: id.bytes,
            field: field,
            revision: revision,
            pin: pin
        )
        return try SealedSecret(sealing: secret.secret, binding, dataKey: dataKey, schedule: schedule, random: random)
    }
}

extension Login {
    init(_ entry: VaultEntry, _ pinned: PinnedEndpoint) {
        id = entry.id
        name = entry.name
        origin = .vault
        endpoint = entry.endpoint
        user = entry.user
        domain = entry.domain
        schema = entry.schema
        userKey = entry.userKey
        extras = entry.extras
        pin = pinned.pin
        allowsPlaintext = pinned.allowsPlaintext
        networkID = pinned.networkID
        interface = pinned.interface
        isVerified = pinned.isVerified
        agreedURL = pinned.location?.url
        hasEnvelopePassword = entry.envelope != nil
        created = entry.created
        lastUsedDay = entry.lastUsedDay
        revision = entry.revision
    }
}

extension OpenVault {
    /// Applies a change to the vault that is on disk now. Another program may have changed it since this process read
    /// it.
    ///
    /// - Parameters:
    ///   - dropsPrevious: see `VaultFolder.Draft`.
    ///   - change: receives the newest vault, for its keys, and the payload to change. The vault may be another
    ///     object than this one.
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected` or `.conflict` if the file on disk is not a
    ///   successor of this vault; any error of `change`.
    func update(
        in folder: VaultFolder,
        dropsPrevious: Bool = false,
        _ change: (OpenVault, inout VaultPayload) throws(CredentialError) -> Void
    ) throws(CredentialError) -> OpenVault {
        try folder.save { file throws(CredentialError) in
            let base = try successor(file)
            var payload = base.payload
            try change(base, &payload)
            let keys = base.keys.with(folder.auditHead)
            let bytes = try base.next(payload, keys, random: folder.random)
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: dropsPrevious) { written throws(CredentialError) in
                try base.verified(written, bytes: bytes, payload: payload, keys: keys)
            }
        }
    }

    /// Opens the file on disk with this vault's data key. Returns this object if the file is the same.
    func successor(_ file: VaultFile?) throws(CredentialError) -> OpenVault {
        guard let file else { throw .conflict(reason: "the file is gone") }
        if file.hash == hash { return self }
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        let verdict = AnchorVerdict(VaultPosition(file), against: RollbackAnchor(VaultPosition(self)))
        if let suspicion = verdict.suspicion { throw suspicion }
        return try reopened(file)
    }

    /// Opens another file of this vault with its data key.
    ///
    /// - Throws: `CredentialError.conflict` if the file belongs to another vault, or its data key was replaced.
    func reopened(_ file: VaultFile) throws(CredentialError) -> OpenVault {
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        do throws(CredentialError) {
            return try OpenVault(file, dataKey: dataKey, schedule: schedule)
        } catch {
            guard error == .damaged(.headerTag) else { throw error }
            throw .conflict(reason: "its key was changed; lock and unlock the vault")
        }
    }

    /// Opens the file that was read back after a write. Checks that it has the same bytes and opens to the same
    /// content.
    ///
    /// - Parameter newKey: the data key of the new file; nil if it is this vault's.
    func verified(
        _ written: VaultFile,
        bytes: [UInt8],
        payload: VaultPayload,
        keys: VaultKeys,
        dataKey newKey: SharedSecret? = nil
    ) throws(CredentialError) -> OpenVault {
        guard written.bytes == bytes else { throw .damaged(.payload) }
        let vault = try OpenVault(written, dataKey: newKey ?? dataKey, schedule: schedule)
        guard vault.payload == payload, vault.keys.isSame(as: keys) else { throw .damaged(.record("read back")) }
        return vault
    }
}

extension OpenVault {
    /// Makes the bytes of a vault file that contains `payload`.
    ///
    /// - Parameter header: must contain the generation and the previous hash of the new file. Minor version, save
    ///   salt and payload length are set here.
    /// - Throws: `CredentialError.versionTooNew` if a later minor version wrote the previous file.
    static func seal(
        _ payload: VaultPayload,
        _ keys: VaultKeys,
        header: VaultHeader,
        dataKey: SharedSecret,
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) -> [UInt8] {
        guard header.minor <= VaultHeader.newestMinor else {
            throw .versionTooNew(major: Int(VaultHeader.major), minor: Int(header.minor))
        }
        return try PayloadCodec.withEncoded(payload, keys, in: schedule.arena) { plain throws(CredentialError) in
            try translating { () throws(PlatformError) in
                var header = header
                header.minor = payload.minor
                header.saveSalt = try random.bytes(32)
                header.payloadByteCount = plain.count
                let storeID = header.storeID
                let front = try header.encodedBeforeTag()
                let tag = try schedule.headerTag(
                    of: front,
                    dataKey.secret,
                    storeID: storeID,
                    saveSalt: header.saveSalt
                )
                let key = try schedule.payloadKey(dataKey.secret, storeID: storeID, saveSalt: header.saveSalt)
                let gcmTag = try AESGCM.seal(
                    UnsafeRawBufferPointer(plain),
                    key: key,
                    associatedData: try SHA256.digest(of: front + tag),
                    into: plain
                )
                return front + tag + Array(plain) + gcmTag
            }
        }
    }

    /// Makes the bytes of the file that follows this one, with another payload.
    func next(_ payload: VaultPayload, _ keys: VaultKeys, random: any RandomSource) throws(CredentialError) -> [UInt8] {
        var header = header
        header.generation += 1
        header.previousHash = hash
        return try Self.seal(payload, keys, header: header, dataKey: dataKey, schedule: schedule, random: random)
    }
}

extension OpenVault {
    /// Makes the bytes of a separate vault with the same logins, under its own data key, which only `slot` opens.
    /// Grants, settings and the keys of this machine's anchor and audit log are not exported.
    func exported(as storeID: [UInt8], under slot: NewSlot, random: any RandomSource) throws(CredentialError) -> [UInt8]
    {
        let draft = try Self.draft(storeID, [slot], schedule: schedule, random: random)
        var copy = try resealed(for: draft.dataKey, in: storeID, random: random)
        copy.grants = []
        copy.settings = []
        let bytes = try Self.seal(
            copy,
            draft.keys,
            header: draft.header,
            dataKey: draft.dataKey,
            schedule: schedule,
            random: random
        )
        let check = try OpenVault(try VaultFile(parsing: bytes), dataKey: draft.dataKey, schedule: schedule)
        guard check.payload == copy else { throw .damaged(.record("read back")) }
        return bytes
    }
}
