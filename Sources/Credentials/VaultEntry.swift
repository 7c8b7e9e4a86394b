// SPDX-License-Identifier: Apache-2.0

import Endpoints

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
