// SPDX-License-Identifier: Apache-2.0

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
