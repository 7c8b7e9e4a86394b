// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The record of a login in the payload.
struct VaultEntry: Sendable, Hashable {
    let id: LoginID
    var name: String
    var user: String
    var domain: String
    var schema: String
    var endpoint: EndpointID
    /// Flags, none of which is assigned yet.
    var policy: UInt32 = 0
    var revision: UInt64
    let created: UInt64
    var lastUsedDay: UInt32 = 0
    var password: SealedSecret
    var envelope: SealedSecret?
    var userKey = UserKey.userID
    var extras: [LoginExtra] = []

    enum Tag {
        static let id: UInt16 = 1
        static let name: UInt16 = 2
        static let user: UInt16 = 3
        static let domain: UInt16 = 4
        static let schema: UInt16 = 5
        static let endpoint: UInt16 = 6
        static let policy: UInt16 = 7
        static let revision: UInt16 = 8
        static let created: UInt16 = 9
        static let lastUsedDay: UInt16 = 10
        static let password: UInt16 = 11
        static let envelope: UInt16 = 12
        static let userKey: UInt16 = 13
        static let extras: UInt16 = 14
    }

    /// The highest tag of a login record in a minor version of the format.
    static func lastTag(minor: UInt16) -> UInt16 { minor == 0 ? Tag.envelope : Tag.extras }

    /// The lowest minor version that can store the record.
    var minor: UInt16 { userKey == .userID && extras.isEmpty ? 0 : 1 }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(field: Tag.id, id.bytes)
        writer.append(field: Tag.name, name.utf8)
        writer.append(field: Tag.user, user.utf8)
        writer.append(field: Tag.domain, domain.utf8)
        writer.append(field: Tag.schema, schema.utf8)
        writer.append(field: Tag.endpoint, endpoint.text.utf8)
        writer.append(field: Tag.policy, policy)
        writer.append(field: Tag.revision, revision)
        writer.append(field: Tag.created, created)
        writer.append(field: Tag.lastUsedDay, lastUsedDay)
        writer.append(field: Tag.password, password.encoded)
        if let envelope { writer.append(field: Tag.envelope, envelope.encoded) }
        if userKey != .userID { writer.append(field: Tag.userKey, userKey.rawValue.utf8) }
        if !extras.isEmpty { writer.append(field: Tag.extras, LoginExtra.encoded(extras)) }
        return writer.bytes
    }
}

extension VaultEntry {
    init(_ record: VaultRecord) throws(CredentialError) {
        guard let id = LoginID(bytes: try record.bytes(Tag.id)) else { throw .damaged(.record("login id")) }
        guard let endpoint = EndpointID(try record.string(Tag.endpoint)) else { throw .damaged(.record("endpoint id")) }
        guard let password = SealedSecret(parsing: try record.value(Tag.password)) else {
            throw .damaged(.record("password"))
        }
        if let sealed = record.optionalValue(Tag.envelope) {
            guard let envelope = SealedSecret(parsing: sealed) else { throw .damaged(.record("envelope password")) }
            self.envelope = envelope
        }
        if record.optionalValue(Tag.userKey) != nil {
            // The usual key has no field, so that each record has only one encoding.
            guard let key = UserKey(rawValue: try record.string(Tag.userKey)), key != .userID else {
                throw .damaged(.record("user key"))
            }
            userKey = key
        }
        if let value = record.optionalValue(Tag.extras) {
            guard let extras = LoginExtra.parse(value) else { throw .damaged(.record("extra keys")) }
            self.extras = extras
        }
        self.id = id
        self.endpoint = endpoint
        self.password = password
        name = try record.string(Tag.name)
        user = try record.string(Tag.user)
        domain = try record.string(Tag.domain)
        schema = try record.string(Tag.schema)
        policy = try record.integer(Tag.policy)
        revision = try record.integer(Tag.revision)
        created = try record.integer(Tag.created)
        lastUsedDay = try record.integer(Tag.lastUsedDay)
        guard !name.isEmpty else { throw .damaged(.record("login name")) }
        guard revision <= VaultLimits.lastNumber else { throw .damaged(.record("login revision")) }
        guard policy == 0 || record.isFromNewerMinor else { throw .damaged(.record("login policy")) }
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

    /// The values that a seal is bound to, in addition to the data key.
    struct Binding: Sendable, Hashable {
        let storeID: [UInt8]
        let entryID: [UInt8]
        let field: SealedField
        let revision: UInt64
        let pin: Pin

        func associatedData() throws(PlatformError) -> [UInt8] {
            var writer = ByteWriter()
            writer.append(storeID)
            writer.append(entryID)
            writer.append(field.rawValue)
            writer.append(revision)
            writer.append(try SHA256.digest(of: try pin.vaultRecord()))
            return writer.bytes
        }
    }

    /// Seals a secret.
    ///
    /// - Throws: `CredentialError.invalid` if the secret is larger than 16 KiB.
    init(
        sealing secret: borrowing Secret,
        _ binding: Binding,
        dataKey: SharedSecret,
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) {
        let count = secret.count
        guard count <= VaultLimits.secretBytes else {
            throw .invalid(field: "the secret", reason: "is longer than \(VaultLimits.secretBytes) bytes")
        }
        self = try translating { () throws(PlatformError) in
            let salt = try random.bytes(Self.saltBytes)
            let key = try Self.key(binding, salt: salt, dataKey: dataKey, schedule: schedule)
            let padded = try Secret(capacity: Self.paddedByteCount(count), in: schedule.arena) { room in
                room[0] = UInt8(count & 0xFF)
                room[1] = UInt8(count >> 8)
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[2...])
                secret.withBytes { rest.copyMemory(from: $0) }
                return room.count
            }
            let associatedData = try binding.associatedData()
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
    func open(_ binding: Binding, dataKey: SharedSecret, schedule: KeySchedule) throws(CredentialError) -> Secret {
        var isSound = false
        let secret = try translating { () throws(PlatformError) in
            let key = try Self.key(binding, salt: salt, dataKey: dataKey, schedule: schedule)
            let associatedData = try binding.associatedData()
            return try Secret(capacity: ciphertext.count, in: schedule.arena) { room throws(PlatformError) in
                let isRight = try ciphertext.span.bytes.withUnsafeBytes { sealed throws(PlatformError) in
                    try AESGCM.open(sealed, tag: tag, key: key, associatedData: associatedData, into: room)
                }
                guard isRight, let count = Self.removePadding(room) else { return 0 }
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

    private static func key(
        _ binding: Binding,
        salt: [UInt8],
        dataKey: SharedSecret,
        schedule: KeySchedule
    ) throws(PlatformError) -> Secret {
        try schedule.entryKey(
            dataKey.secret,
            salt: salt,
            storeID: binding.storeID,
            entryID: binding.entryID,
            field: binding.field
        )
    }

    private static func paddedByteCount(_ count: Int) -> Int {
        (count + 2 + blockBytes - 1) / blockBytes * blockBytes
    }

    /// Moves the secret to the start of the buffer.
    ///
    /// - Returns: the length of the secret; nil if the padding differs from the one that sealing makes.
    private static func removePadding(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = Int(room[0]) | Int(room[1]) << 8
        guard count <= VaultLimits.secretBytes, paddedByteCount(count) == room.count,
            room[(2 + count)...].allSatisfy({ $0 == 0 })
        else { return nil }
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[2..<(2 + count)]))
        UnsafeMutableRawBufferPointer(rebasing: room[count..<(count + 2)]).initializeMemory(
            as: UInt8.self,
            repeating: 0
        )
        return count
    }
}

/// The kind of a login's sealed secret. The raw value is part of the seal.
enum SealedField: UInt8, Sendable {
    case password = 1
    /// The shared password of the AES envelope.
    case envelope = 2
}
