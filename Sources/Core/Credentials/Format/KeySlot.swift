// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

/// One way to open the vault: the data key, wrapped under the secret of a key provider.
struct KeySlot: Sendable, Hashable {
    /// The size of a slot in the header.
    static let byteCount = 256
    static let idByteCount = 16
    static let wrappedByteCount = 48
    /// The only state of a slot in format 1. Other values are reserved for later minor versions.
    private static let active: UInt8 = 1

    let identity: SlotIdentity
    /// 32 bytes that can only be derived from the right secret. They are compared before anything is decrypted.
    let commitment: [UInt8]
    /// The wrapped data key and its GCM tag.
    let wrappedKey: [UInt8]
    /// A label for people: at most 64 bytes, without control characters.
    let label: String
    /// Seconds since 1970.
    let created: UInt64

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
        let cost = kind == .passphrase ? ScryptCost(log2N: parameters[0]) : nil
        identity = SlotIdentity(kind: kind, cost: cost, id: id, salt: salt)
        // A passphrase without an accepted cost has no parameters either.
        guard identity.parameters == parameters, (cost == nil) == (kind != .passphrase) else { return nil }
        self.commitment = commitment
        self.wrappedKey = wrappedKey
        self.label = label
        self.created = created
    }

    init(_ identity: SlotIdentity, commitment: [UInt8], wrappedKey: [UInt8], label: String, created: UInt64) {
        self.identity = identity
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

    var kind: KeyProviderKind { identity.kind }
    var cost: ScryptCost? { identity.cost }
    var id: [UInt8] { identity.id }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(kind.rawValue)
        writer.append(Self.active)
        writer.append(identity.parameters)
        writer.append(zeros: 3)
        writer.append(id)
        writer.append(identity.salt)
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

/// The fields of a slot from which its keys are derived, and to which they are bound.
struct SlotIdentity: Sendable, Hashable {
    /// The source of the slot's secret.
    let kind: KeyProviderKind
    /// The cost of scrypt; set only for `passphrase`.
    let cost: ScryptCost?
    /// 16 random bytes that identify the slot permanently.
    let id: [UInt8]
    /// 32 bytes, fresh at each wrapping, so that a zero nonce is safe.
    let salt: [UInt8]

    static let saltByteCount = 32

    /// log2 N, r and p; zeros for a slot without scrypt.
    var parameters: [UInt8] {
        cost.map { [$0.log2N, ScryptCost.r, ScryptCost.p] } ?? [0, 0, 0]
    }
}

/// The key slots of a vault, and the rules for changing them: 1 to 8 slots, and at most one of each kind whose secret
/// is stored outside.
extension [KeySlot] {
    private static var shortIDLengths: [Int] { [8, 16, 32] }
    private static var shortestPrefix: Int { 4 }

    /// The name of a slot for people: the first 8 hexadecimal digits of its ID, or more if two IDs begin with the same
    /// digits.
    func shortID(of slot: KeySlot) -> String {
        let id = HexText.encode(slot.id)
        let length = Self.shortIDLengths.first { length in
            count { HexText.encode($0.id).prefix(length) == id.prefix(length) } == 1
        }
        return String(id.prefix(length ?? id.utf8.count))
    }

    /// Finds a slot by its label or by the beginning of its ID (four digits or more).
    ///
    /// - Throws: `CredentialError.noSuchSlot`, `.slotAmbiguous`
    func slot(named name: String) throws(CredentialError) -> KeySlot {
        let lowered = name.lowercased()
        let found = filter { slot in
            (!name.isEmpty && slot.label == name)
                || (name.utf8.count >= Self.shortestPrefix && HexText.encode(slot.id).hasPrefix(lowered))
        }
        guard let first = found.first else { throw .noSuchSlot(name) }
        guard found.count == 1 else { throw .slotAmbiguous(name, candidates: found.map(shortID)) }
        return first
    }

    /// Checks that a slot of this kind can be added.
    ///
    /// - Throws: `CredentialError.full`, `.slotExists`
    func checkSpace(for kind: KeyProviderKind) throws(CredentialError) {
        guard count < VaultLimits.slots else { throw .full(.slots, limit: VaultLimits.slots) }
        guard kind.isTyped || !contains(where: { $0.kind == kind }) else { throw .slotExists(kind) }
    }

    mutating func add(_ slot: KeySlot) throws(CredentialError) {
        try checkSpace(for: slot.kind)
        append(slot)
    }

    /// Removes a slot.
    ///
    /// - Parameter isForced: permits to remove the last passphrase or recovery code. The vault then opens only on this
    ///   machine.
    /// - Throws: `CredentialError.slotNeeded`, `.noSuchSlot`
    mutating func remove(_ slot: KeySlot, isForced: Bool) throws(CredentialError) {
        let rest = filter { $0.id != slot.id }
        guard rest.count < count else { throw .noSuchSlot(shortID(of: slot)) }
        guard !rest.isEmpty else { throw .slotNeeded("it is the last one", canBeForced: false) }
        guard isForced || !slot.kind.isTyped || rest.contains(where: \.kind.isTyped) else {
            throw .slotNeeded("it is the last passphrase or recovery code", canBeForced: true)
        }
        self = rest
    }

    /// Replaces a slot with another wrapping or label.
    ///
    /// - Throws: `CredentialError.conflict` if the slot has changed since the replacement was prepared.
    mutating func replace(_ old: KeySlot, with new: KeySlot) throws(CredentialError) {
        guard let index = firstIndex(of: old) else { throw Self.changed }
        self[index] = new
    }

    /// The slot that costs a thief of the disk the least.
    var weakest: KeySlot? {
        self.min { ($0.kind.rank, $0.cost?.log2N ?? 0) < ($1.kind.rank, $1.cost?.log2N ?? 0) }
    }

    static var changed: CredentialError { .conflict(reason: "its key slots were changed in the meantime") }
}

/// A key slot to be made.
struct NewSlot: Sendable {
    let kind: KeyProviderKind
    /// The cost of scrypt; set only for `passphrase`.
    let cost: ScryptCost?
    /// The normalised passphrase, the 20 bytes of a recovery code, or a provider's 32 bytes.
    let secret: SharedSecret
    /// 16 random bytes, or the ID of the slot that this one replaces.
    let id: [UInt8]
    var label: String
    /// Seconds since 1970.
    let created: UInt64
}

/// The kinds of key slot, by the source of the slot's secret. The raw value is the slot's type byte.
package enum KeyProviderKind: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case passphrase = 1
    case secretService = 2
    case systemdCreds = 3
    case recoveryCode = 4
    case keyFile = 5
    case credentialsDirectory = 6

    /// The name of the kind in commands and output.
    package var description: String {
        switch self {
        case .passphrase: "passphrase"
        case .secretService: "secret-service"
        case .systemdCreds: "systemd-creds"
        case .recoveryCode: "recovery-code"
        case .keyFile: "key-file"
        case .credentialsDirectory: "credentials-directory"
        }
    }

    /// Finds a kind by its name.
    package init?(_ text: String) {
        guard let kind = Self.allCases.first(where: { $0.description == text }) else { return nil }
        self = kind
    }

    /// The obstacle for a thief who has the disk.
    package var strength: SlotStrength {
        switch self {
        case .passphrase: .passphrase
        case .secretService: .loginKeyring
        case .systemdCreds: .machine
        case .recoveryCode: .recoveryCode
        case .keyFile: .obfuscation
        case .credentialsDirectory: .administrator
        }
    }
}

/// The cost of one guess at a passphrase: 128·8·N bytes of memory, with r = 8 and p = 1 (RFC 7914).
package struct ScryptCost: Sendable, Hashable {
    /// log2 N, from 15 to 20. With 17, one guess takes 0.25 s and 137 MB.
    package let log2N: UInt8

    /// The accepted values of `log2N`.
    package static let accepted: ClosedRange<UInt8> = 15...20
    /// The lowest cost for the vault's own slots.
    package static let standard = ScryptCost(accepting: 17)
    /// The lowest accepted cost.
    package static let minimum = ScryptCost(accepting: accepted.lowerBound)
    /// The cost for files that leave the machine.
    package static let export = ScryptCost(accepting: 18)
    static let r: UInt8 = 8
    static let p: UInt8 = 1

    /// Makes a cost.
    ///
    /// - Returns: nil outside `accepted`. A lower cost is too weak, and with a higher one a hostile file could take
    ///   gigabytes.
    package init?(log2N: UInt8) {
        guard Self.accepted.contains(log2N) else { return nil }
        self.log2N = log2N
    }

    private init(accepting log2N: UInt8) {
        self.log2N = log2N
    }
}
