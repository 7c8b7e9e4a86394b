// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The decoded payload of a vault. The passwords in it are still sealed.
struct VaultPayload: Sendable, Hashable {
    var entries: [VaultEntry] = []
    var pins: [PinnedEndpoint] = []

    func entry(named name: String) -> VaultEntry? {
        entries.first { $0.name == name }
    }

    /// The other addresses of an endpoint, in the order in which they are tried.
    func alternates(of endpoint: EndpointID) -> [PinnedEndpoint] { pins.filter { $0.alternateOf == endpoint } }

    /// Removes the pin of an endpoint, with those of its other addresses.
    mutating func removePin(of endpoint: EndpointID) {
        pins.removeAll { $0.endpoint == endpoint || $0.alternateOf == endpoint }
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
