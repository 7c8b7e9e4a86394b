// SPDX-License-Identifier: Apache-2.0

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
