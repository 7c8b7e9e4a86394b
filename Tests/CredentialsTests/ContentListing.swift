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
        let dataKey = vault.key.secret.secret.withBytes { HexText.encode($0) }
        add("vault", Self.hex(header.storeID), "\(header.generation)", Self.hex(header.previousHash), dataKey)
        for slot in header.slots {
            add("slot", slot.kind.description, "\(slot.cost?.log2N ?? 0)", Self.hex(slot.label.utf8), "\(slot.created)")
        }
        var pins: [EndpointID: Pin] = [:]
        for pinned in vault.payload.pins { pins[pinned.endpoint] = pinned.pin }
        for entry in vault.payload.entries { try add(entry, pin: pins[entry.endpoint], vault) }
        for pinned in vault.payload.pins { add(pinned) }
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
        HexText.encode(SHA256.digest(of: Array(text.utf8)))
    }

    private mutating func add(_ words: String...) {
        text += words.joined(separator: " ") + "\n"
    }

    private mutating func add(_ entry: VaultEntry, pin: Pin?, _ vault: OpenVault) throws(CredentialError) {
        guard let pin else { throw .damaged(.record("login without a pin")) }
        add(
            "login",
            Self.hex(entry.id.bytes),
            Self.hex(entry.name.utf8),
            Self.hex(entry.account.user.utf8),
            Self.hex(entry.account.domain.utf8),
            Self.hex(entry.account.schema.utf8),
            entry.endpoint.text,
            entry.password.command?.isAgreed == true ? "1" : "0",
            "\(entry.revision)",
            "\(entry.created)",
            "\(entry.lastUsedDay)",
            try vault.secret(of: entry, pin: pin)?.secret.withBytes { HexText.encode($0) } ?? "-"
        )
        for argument in entry.password.command?.command.arguments ?? [] { add("argument", Self.hex(argument.utf8)) }
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
        let flags =
            (pinned.allowsPlaintext ? 1 : 0) + (pinned.isVerified ? 0 : 2) + (pinned.isSameDatabase ? 4 : 0)
        let place = pinned.location.map { " \(Self.hex($0.name.utf8)) \(Self.hex($0.url.utf8))" } ?? ""
        add("pin", pinned.endpoint.text, identity, "\(flags)", network + place)
        if let interface = pinned.interface { add("interface", Self.hex(interface.utf8)) }
        if let endpoint = pinned.alternateOf { add("alternate", endpoint.text) }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String { HexText.encode(bytes) }
}
