// SPDX-License-Identifier: Apache-2.0

/// One way to open the vault: the data key, wrapped under the secret of a key provider.
package struct KeySlot: Sendable, Hashable {
    /// The size of a slot in the header.
    package static let byteCount = 256
    static let idByteCount = 16
    static let wrappedByteCount = 48
    /// The only state of a slot in format 1. Other values are reserved for later minor versions.
    private static let active: UInt8 = 1

    /// The source of the slot's secret.
    package let kind: KeyProviderKind
    /// The cost of scrypt; set only for `passphrase`.
    package let cost: ScryptCost?
    /// 16 random bytes that identify the slot permanently.
    package let id: [UInt8]
    /// 32 bytes, fresh at each wrapping, so that a zero nonce is safe.
    let salt: [UInt8]
    /// 32 bytes that follow only from the right secret. They are compared before anything is decrypted.
    let commitment: [UInt8]
    /// The wrapped data key and its GCM tag.
    let wrappedKey: [UInt8]
    /// A label for people: at most 64 bytes, without control characters.
    package let label: String
    /// Seconds since 1970.
    package let created: UInt64

    /// Parses a slot.
    ///
    /// - Returns: nil if a field is outside its bounds, or a reserved byte is not zero.
    init?(parsing bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard bytes.count == Self.byteCount,
            let kind = reader.integer(UInt8.self).flatMap(KeyProviderKind.init(rawValue:)),
            reader.integer(UInt8.self) == Self.active,
            let parameters = reader.bytes(3),
            reader.bytes(3) == [0, 0, 0],
            let id = reader.bytes(16),
            let salt = reader.bytes(32),
            let commitment = reader.bytes(32),
            let wrappedKey = reader.bytes(Self.wrappedByteCount),
            let label = reader.bytes(VaultLimits.labelBytes).flatMap(Self.label(parsing:)),
            let created = reader.integer(UInt64.self),
            reader.isZero
        else { return nil }
        if kind == .passphrase {
            guard parameters[1...] == [ScryptCost.r, ScryptCost.p], let cost = ScryptCost(log2N: parameters[0]) else {
                return nil
            }
            self.cost = cost
        } else {
            guard parameters == [0, 0, 0] else { return nil }
            cost = nil
        }
        self.kind = kind
        self.id = id
        self.salt = salt
        self.commitment = commitment
        self.wrappedKey = wrappedKey
        self.label = label
        self.created = created
    }

    init(_ identity: SlotIdentity, commitment: [UInt8], wrappedKey: [UInt8], label: String, created: UInt64) {
        kind = identity.kind
        cost = identity.cost
        id = identity.id
        salt = identity.salt
        self.commitment = commitment
        self.wrappedKey = wrappedKey
        self.label = Self.sanitised(label)
        self.created = created
    }

    func labelled(_ label: String) -> KeySlot {
        KeySlot(identity, commitment: commitment, wrappedKey: wrappedKey, label: label, created: created)
    }

    /// Checks that a label can be stored unchanged.
    ///
    /// - Throws: `CredentialError.invalid` if it cannot.
    static func check(label: String) throws(CredentialError) {
        guard sanitised(label) == label else {
            throw .invalid(
                field: "the label",
                reason: "has control characters, or more than \(VaultLimits.labelBytes) bytes"
            )
        }
    }

    var identity: SlotIdentity { SlotIdentity(kind: kind, cost: cost, id: id, salt: salt) }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(kind.rawValue)
        writer.append(Self.active)
        writer.append(identity.parameters)
        writer.append(zeros: 3)
        writer.append(id)
        writer.append(salt)
        writer.append(commitment)
        writer.append(wrappedKey)
        writer.append(label.utf8)
        writer.append(zeros: VaultLimits.labelBytes - label.utf8.count)
        writer.append(created)
        writer.append(zeros: Self.byteCount - writer.bytes.count)
        return writer.bytes
    }

    private static func label(parsing bytes: [UInt8]) -> String? {
        let text = bytes.prefix { $0 != 0 }
        guard bytes[text.endIndex...].allSatisfy({ $0 == 0 }) else { return nil }
        guard let label = String(validating: text, as: UTF8.self), sanitised(label) == label else { return nil }
        return label
    }

    /// The label without control characters, cut at a character boundary to at most 64 bytes.
    private static func sanitised(_ label: String) -> String {
        var kept = ""
        for scalar in label.unicodeScalars where scalar.properties.generalCategory != .control {
            guard kept.utf8.count + UTF8.width(scalar) <= VaultLimits.labelBytes else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }
}
