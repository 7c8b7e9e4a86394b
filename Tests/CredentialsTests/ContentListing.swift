// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

@testable import Credentials

/// The complete content of a vault with opened seals, in the lines that `listing` of Tests/Tools/read_vault.py writes.
/// Two readers that agree on these lines agree on the vault.
struct ContentListing {
    private(set) var text = ""

    /// - Throws: `CredentialError.damaged(.entry)` if a login's seal does not open.
    init(_ vault: OpenVault) throws(CredentialError) {
        let header = vault.header
        let dataKey = vault.dataKey.secret.withBytes { HexText.encode($0) }
        add("vault", Self.hex(header.storeID), "\(header.generation)", Self.hex(header.previousHash), dataKey)
        for slot in header.slots {
            add("slot", slot.kind.description, "\(slot.cost?.log2N ?? 0)", Self.hex(slot.label.utf8), "\(slot.created)")
        }
        var pins: [EndpointID: Pin] = [:]
        for pinned in vault.payload.pins { pins[pinned.endpoint] = pinned.pin }
        for entry in vault.payload.entries { try add(entry, pin: pins[entry.endpoint], vault) }
        for pinned in vault.payload.pins { add(pinned) }
        for fields in try Self.records(vault.payload.settings, 2) { add("setting", fields[0].hex, fields[1].hex) }
        for fields in try Self.records(vault.payload.grants, 7) {
            let words = fields[..<4].map(\.hex) + ["\(fields[4].number & 1)"] + fields[5...].map { "\($0.number)" }
            text += (["grant"] + words).joined(separator: " ") + "\n"
        }
        add(
            "keys",
            vault.keys.anchor.secret.withBytes { HexText.encode($0) },
            vault.keys.audit.secret.withBytes { HexText.encode($0) },
            "\(vault.keys.auditHead.sequence)",
            Self.hex(vault.keys.auditHead.tag)
        )
    }

    /// SHA-256 of the text, in hexadecimal digits.
    func digest() throws -> String {
        HexText.encode(try SHA256.digest(of: Array(text.utf8)))
    }

    private mutating func add(_ words: String...) {
        text += words.joined(separator: " ") + "\n"
    }

    private mutating func add(_ entry: VaultEntry, pin: Pin?, _ vault: OpenVault) throws(CredentialError) {
        guard let pin else { throw .damaged(.record("login without a pin")) }
        func opened(_ seal: SealedSecret, _ field: UInt8) throws(CredentialError) -> String {
            var binding = vault.binding(entry, pin)
            binding.field = field
            let secret = try seal.open(binding, dataKey: vault.dataKey, schedule: vault.schedule)
            return secret.withBytes { HexText.encode($0) }
        }
        add(
            "login",
            Self.hex(entry.id.bytes),
            Self.hex(entry.name.utf8),
            Self.hex(entry.account.user.utf8),
            Self.hex(entry.account.domain.utf8),
            Self.hex(entry.account.schema.utf8),
            entry.endpoint.text,
            "0",
            "\(entry.revision)",
            "\(entry.created)",
            "\(entry.lastUsedDay)",
            try opened(entry.password, 1),
            try entry.envelope.map { seal throws(CredentialError) in try opened(seal, 2) } ?? "-"
        )
        guard entry.account.userKey != .userID || !entry.account.extras.isEmpty else { return }
        add("user-key", Self.hex(entry.account.userKey.rawValue.utf8))
        for extra in entry.account.extras { add("extra", Self.hex(extra.key.utf8), Self.hex(extra.value.utf8)) }
    }

    private mutating func add(_ pinned: PinnedEndpoint) {
        let identity =
            switch pinned.pin {
            case .tls(let digest): "3 \(Self.hex(digest))"
            case .authority(let host): "3 \(Self.hex(host.utf8))"
            case .address(let address, let port): "1 \(Self.hex(address.bytes)) \(port)"
            case .loopback(let address, let port): "0 \(Self.hex(address.bytes)) \(port)"
            }
        let network = pinned.networkID.map { Self.hex($0) } ?? "-"
        let flags = (pinned.allowsPlaintext ? 1 : 0) + (pinned.isVerified ? 0 : 2)
        let place = pinned.location.map { " \(Self.hex($0.name.utf8)) \(Self.hex($0.url.utf8))" } ?? ""
        add("pin", pinned.endpoint.text, identity, "\(flags)", network + place)
        if let interface = pinned.interface { add("interface", Self.hex(interface.utf8)) }
    }

    /// The value of a field that this program does not interpret.
    private struct Field {
        let bytes: [UInt8]
        var hex: String { HexText.encode(bytes) }
        var number: UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    }

    private static func records(_ body: [UInt8], _ fieldCount: UInt16) throws(CredentialError) -> [[Field]] {
        try body.span.bytes.withUnsafeBytes { bytes throws(CredentialError) in
            try PayloadCodec.records(bytes, minor: VaultHeader.newestMinor).map { record throws(CredentialError) in
                var (record, fields) = (record, [Field]())
                for tag in 1...fieldCount {
                    let bytes = try record.value(tag, nil, write: { $0 }, read: { Array($0) })
                    fields.append(Field(bytes: bytes))
                }
                return fields
            }
        }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String { HexText.encode(bytes) }
}
