// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The decoded payload of a vault. The passwords in it are still sealed.
struct VaultPayload: Sendable, Hashable {
    var entries: [VaultEntry] = []
    var pins: [PinnedEndpoint] = []
    var settings: [VaultSetting] = []
    var grants: [VaultGrant] = []

    /// The lowest minor version of the format that can store the payload.
    var minor: UInt16 { (entries.map(\.minor) + pins.map(\.minor)).max() ?? 0 }

    func entry(named name: String) -> VaultEntry? {
        entries.first { $0.name == name }
    }
}

extension VaultPayload {
    /// Seals the secrets of an entry again, with fresh salts, as its next revision.
    ///
    /// - Parameters:
    ///   - password: the new one; nil keeps the stored one.
    ///   - new: the pin that the new seals are bound to.
    mutating func reseal(
        _ index: Int,
        _ vault: OpenVault,
        from old: Pin,
        to new: Pin,
        password: SharedSecret?,
        random: any RandomSource
    ) throws(CredentialError) {
        let entry = entries[index]
        let revision = entry.revision + 1
        func resealed(
            _ sealed: SealedSecret,
            _ field: SealedField,
            _ given: SharedSecret?
        ) throws(CredentialError) -> SealedSecret {
            let secret: SharedSecret
            if let given {
                secret = given
            } else {
                let binding = vault.binding(entry, field, old)
                secret = SharedSecret(try sealed.open(binding, dataKey: vault.dataKey, schedule: vault.schedule))
            }
            return try vault.seal(secret, entry.id, field, revision: revision, pin: new, random: random)
        }
        let envelope = try entry.envelope.map { envelope throws(CredentialError) in
            try resealed(envelope, .envelope, nil)
        }
        entries[index].password = try resealed(entry.password, .password, password)
        entries[index].envelope = envelope
        entries[index].revision = revision
    }
}

/// A named value that is stored in the vault.
struct VaultSetting: Sendable, Hashable {
    let name: String
    var value: [UInt8]

    private enum Tag {
        static let name: UInt16 = 1
        static let value: UInt16 = 2
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(field: Tag.name, name.utf8)
        writer.append(field: Tag.value, value)
        return writer.bytes
    }

    init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }

    init(_ record: VaultRecord) throws(CredentialError) {
        name = try record.string(Tag.name)
        value = try record.bytes(Tag.value)
        guard !name.isEmpty, value.count <= VaultLimits.stringBytes else { throw .damaged(.record("setting")) }
    }
}

/// The keys that the payload contains in addition to the logins: the anchor key and the audit key.
struct VaultKeys: Sendable {
    static let keyByteCount = 32

    let anchor: SharedSecret
    let audit: SharedSecret
    /// The head of the audit log at the last save.
    var auditHead: AuditHead

    struct AuditHead: Sendable, Hashable {
        var sequence: UInt64
        /// The tag of the last line, 32 bytes.
        var tag: [UInt8]

        /// The number of the next line. It stays at `VaultLimits.lastNumber` if a forged log has reached that.
        var next: UInt64 { sequence < VaultLimits.lastNumber ? sequence + 1 : VaultLimits.lastNumber }

        static let start = AuditHead(sequence: 0, tag: [UInt8](repeating: 0, count: 32))
    }

    /// The same keys with a later head of the audit log; unchanged if `head` is nil or not later.
    func with(_ head: AuditHead?) -> VaultKeys {
        guard let head, head.sequence > auditHead.sequence else { return self }
        var keys = self
        keys.auditHead = head
        return keys
    }

    static func fresh(in arena: SecretArena, from random: any RandomSource) throws(PlatformError) -> VaultKeys {
        VaultKeys(
            anchor: SharedSecret(try Secret(randomBytes: keyByteCount, in: arena, from: random)),
            audit: SharedSecret(try Secret(randomBytes: keyByteCount, in: arena, from: random)),
            auditHead: .start
        )
    }

    func isSame(as other: VaultKeys) -> Bool {
        anchor.secret.isEqual(to: other.anchor.secret) && audit.secret.isEqual(to: other.audit.secret)
            && auditHead == other.auditHead
    }
}

/// A permanent permission for one sandboxed tool: a login, a service and the methods that it may call.
struct VaultGrant: Sendable, Hashable {
    /// 16 random bytes.
    let id: [UInt8]
    let login: LoginID
    var service: String
    /// Exact method names, one a line; empty if the grant is read-only.
    var methods: String
    var isReadOnly: Bool
    /// Seconds since 1970.
    var created: UInt64
    var expires: UInt64

    private enum Tag {
        static let id: UInt16 = 1
        static let login: UInt16 = 2
        static let service: UInt16 = 3
        static let methods: UInt16 = 4
        static let flags: UInt16 = 5
        static let created: UInt16 = 6
        static let expires: UInt16 = 7
    }

    private static let readOnlyFlag: UInt32 = 1

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(field: Tag.id, id)
        writer.append(field: Tag.login, login.bytes)
        writer.append(field: Tag.service, service.utf8)
        writer.append(field: Tag.methods, methods.utf8)
        writer.append(field: Tag.flags, isReadOnly ? Self.readOnlyFlag : 0)
        writer.append(field: Tag.created, created)
        writer.append(field: Tag.expires, expires)
        return writer.bytes
    }
}

extension VaultGrant {
    init(_ record: VaultRecord) throws(CredentialError) {
        guard let login = LoginID(bytes: try record.bytes(Tag.login)) else { throw .damaged(.record("grant's login")) }
        let flags: UInt32 = try record.integer(Tag.flags)
        guard flags & ~Self.readOnlyFlag == 0 || record.isFromNewerMinor else { throw .damaged(.record("grant flags")) }
        self.login = login
        id = try record.bytes(Tag.id)
        service = try record.string(Tag.service)
        methods = try record.string(Tag.methods)
        isReadOnly = flags & Self.readOnlyFlag != 0
        created = try record.integer(Tag.created)
        expires = try record.integer(Tag.expires)
        guard id.count == 16 else { throw .damaged(.record("grant id")) }
    }
}
