// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The record of a login in the payload.
struct VaultEntry: Sendable, Hashable {
    let id: LoginID
    var name: String
    var account: Account
    var endpoint: EndpointID
    var revision: UInt64
    let created: UInt64
    var lastUsedDay: UInt32
    var password: StoredPassword

    /// The binding of the seal.
    ///
    /// - Parameter pin: the pin that the login is bound to. With another pin, the seal does not open.
    func binding(_ pin: Pin) -> SealedSecret.Binding {
        SealedSecret.Binding(login: id, revision: revision, pin: pin)
    }
}

/// What the vault stores of a login's password.
enum StoredPassword: Sendable, Hashable {
    case sealed(SealedSecret)
    /// The vault contains no password.
    case command(PasswordCommand)

    var seal: SealedSecret? { if case .sealed(let seal) = self { seal } else { nil } }

    var command: PasswordCommand? { if case .command(let command) = self { command } else { nil } }
}

extension VaultEntry: VaultRecord {
    /// The user has agreed to the command on this machine.
    private static let agreedFlag: UInt32 = 1
    /// The version that added commands. Programs that know no commands refuse it.
    private static let commands = VaultVersion(2, 0)

    static func coded(_ entry: VaultEntry?, _ fields: inout RecordFields) throws(CredentialError) -> VaultEntry {
        let id = try fields.value(1, entry?.id, write: { $0.bytes }, read: { LoginID(bytes: Array($0)) })
        let name = try fields.text(2, entry?.name)
        guard !name.isEmpty else { throw .damaged(.record("login name")) }
        var account = Account(
            user: try fields.text(3, entry?.account.user),
            domain: try fields.text(4, entry?.account.domain),
            schema: try fields.text(5, entry?.account.schema)
        )
        let endpoint = try fields.endpointID(6, entry?.endpoint)
        let known = entry == nil && fields.version < commands ? 0 : agreedFlag
        let isAgreed = entry?.password.command?.isAgreed ?? false
        let policy = try fields.flags(7, entry.map { _ in isAgreed ? agreedFlag : 0 }, known: known) & known
        let revision = try fields.number(8, entry?.revision)
        guard revision <= VaultLimits.lastNumber else { throw .damaged(.record("login revision")) }
        let created = try fields.number(9, entry?.created)
        let lastUsedDay = try fields.number(10, entry?.lastUsedDay)
        let sealed = try fields.optional(
            11,
            entry?.password.seal,
            write: { $0.encoded },
            read: SealedSecret.init(parsing:)
        )
        // A second secret.
        fields.skip(12)
        // The usual key and an empty list have no field, so that each record has only one encoding.
        let userKey = try fields.optional(
            13,
            since: VaultVersion(1, 1),
            entry.flatMap { $0.account.userKey == .userID ? nil : $0.account.userKey },
            write: { Array($0.rawValue.utf8) },
            read: { RecordFields.text($0).flatMap(UserKey.init).flatMap { $0 == .userID ? nil : $0 } }
        )
        let extras = try fields.optional(
            14,
            since: VaultVersion(1, 1),
            entry.flatMap { $0.account.extras.isEmpty ? nil : $0.account.extras },
            write: { LoginExtra.encoded($0) },
            read: { LoginExtra.parse($0) }
        )
        (account.userKey, account.extras) = (userKey ?? .userID, extras ?? [])
        let command = try fields.optional(
            15,
            since: commands,
            entry?.password.command?.command,
            write: { $0.encoded },
            read: SecretCommand.init(parsing:)
        )
        let password: StoredPassword
        switch (sealed, command) {
        case (let sealed?, nil) where policy == 0: password = .sealed(sealed)
        case (nil, let command?): password = .command(PasswordCommand(command, isAgreed: policy == agreedFlag))
        default: throw .damaged(.record("login password"))
        }
        return VaultEntry(
            id: id,
            name: name,
            account: account,
            endpoint: endpoint,
            revision: revision,
            created: created,
            lastUsedDay: lastUsedDay,
            password: password
        )
    }
}

/// A login's secret, sealed separately inside the payload. It stays sealed in memory until it is used, and does not
/// open for another login, revision or pin.
struct SealedSecret: Sendable, Hashable {
    /// 32 bytes, fresh each time a secret is sealed.
    let salt: [UInt8]
    /// The encrypted length as u16, secret and zeros: a multiple of 256 bytes.
    let ciphertext: [UInt8]
    let tag: [UInt8]

    static let blockBytes = 256
    private static let saltBytes = 32
    private static let maximumCiphertextBytes = paddedByteCount(VaultLimits.secretBytes)

    /// The only field that is sealed: a password.
    private static let field: UInt8 = 1

    /// The values that a seal is bound to, in addition to the data key and its vault.
    struct Binding: Sendable, Hashable {
        let login: LoginID
        let revision: UInt64
        let pin: Pin

        fileprivate func associatedData(storeID: [UInt8]) -> [UInt8] {
            var writer = ByteWriter()
            writer.append(storeID)
            writer.append(login.bytes)
            writer.append(SealedSecret.field)
            writer.append(revision)
            writer.append(SHA256.digest(of: pin.vaultRecord()))
            return writer.bytes
        }

        fileprivate func key(of dataKey: DataKey, salt: [UInt8]) throws(PlatformError) -> Secret {
            try dataKey.derive("rcv1/entry", dataKey.storeID + login.bytes + [SealedSecret.field], salt: salt)
        }
    }

    /// Seals a secret.
    ///
    /// - Throws: `CredentialError.invalid` if the secret is larger than 16 KiB.
    init(
        sealing secret: borrowing Secret,
        _ binding: Binding,
        key dataKey: DataKey,
        random: any RandomSource
    ) throws(CredentialError) {
        let count = secret.count
        guard count <= VaultLimits.secretBytes else {
            throw .invalid(field: "the secret", reason: "is longer than \(VaultLimits.secretBytes) bytes")
        }
        self = try translating { () throws(PlatformError) in
            let salt = try random.bytes(Self.saltBytes)
            let key = try binding.key(of: dataKey, salt: salt)
            let padded = try Secret(capacity: Self.paddedByteCount(count), in: dataKey.arena) { buffer in
                buffer[0] = UInt8(count & 0xFF)
                buffer[1] = UInt8(count >> 8)
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[2...])
                secret.withBytes { rest.copyMemory(from: $0) }
                return buffer.count
            }
            let associatedData = binding.associatedData(storeID: dataKey.storeID)
            let sealed = try padded.withBytes { plain throws(PlatformError) in
                try AESGCM.seal(plain, key: key, associatedData: associatedData)
            }
            return SealedSecret(salt: salt, ciphertext: sealed.ciphertext, tag: sealed.tag)
        }
    }

    private init(salt: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
        self.salt = salt
        self.ciphertext = ciphertext
        self.tag = tag
    }

    /// Opens the seal.
    ///
    /// - Throws: `CredentialError.damaged(.entry)` unless binding, data key and seal belong together.
    func open(_ binding: Binding, key dataKey: DataKey) throws(CredentialError) -> Secret {
        var isSound = false
        let secret = try translating { () throws(PlatformError) in
            let key = try binding.key(of: dataKey, salt: salt)
            let associatedData = binding.associatedData(storeID: dataKey.storeID)
            return try Secret(capacity: ciphertext.count, in: dataKey.arena) { buffer throws(PlatformError) in
                let isRight = try ciphertext.span.bytes.withUnsafeBytes { sealed throws(PlatformError) in
                    try AESGCM.open(sealed, tag: tag, key: key, associatedData: associatedData, into: buffer)
                }
                guard isRight, let count = Self.removePadding(buffer) else { return 0 }
                isSound = true
                return count
            }
        }
        guard isSound else { throw .damaged(.entry) }
        return secret
    }

    /// The value of the field in a login's record: salt, ciphertext, tag.
    var encoded: [UInt8] { salt + ciphertext + tag }

    init?(parsing bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        let count = bytes.count - Self.saltBytes - AESGCM.tagByteCount
        guard count > 0, count <= Self.maximumCiphertextBytes, count.isMultiple(of: Self.blockBytes),
            let salt = reader.bytes(Self.saltBytes), let ciphertext = reader.bytes(count),
            let tag = reader.bytes(AESGCM.tagByteCount)
        else { return nil }
        self.salt = salt
        self.ciphertext = ciphertext
        self.tag = tag
    }

    private static func paddedByteCount(_ count: Int) -> Int {
        (count + 2 + blockBytes - 1) / blockBytes * blockBytes
    }

    /// Moves the secret to the start of the buffer.
    ///
    /// - Returns: the length of the secret; nil if the padding differs from the one that sealing makes.
    private static func removePadding(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = Int(buffer[0]) | Int(buffer[1]) << 8
        guard count <= VaultLimits.secretBytes, paddedByteCount(count) == buffer.count,
            buffer[(2 + count)...].allSatisfy({ $0 == 0 })
        else { return nil }
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[2..<(2 + count)]))
        UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + 2)]).initializeMemory(
            as: UInt8.self,
            repeating: 0
        )
        return count
    }
}
