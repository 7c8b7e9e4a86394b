// SPDX-License-Identifier: Apache-2.0

import Platform

/// Keys that live in the payload beside the logins: that of the rollback anchor and that of the audit log.
struct VaultKeys: Sendable {
    static let keyByteCount = 32

    let anchor: SharedSecret
    let audit: SharedSecret
    /// Where the audit log stood at the last save.
    var auditHead: AuditHead

    struct AuditHead: Sendable, Hashable {
        var sequence: UInt64
        /// 32 bytes: the tag of the last line.
        var tag: [UInt8]

        /// The number of the line behind it. A log that somebody has filled up to the last number stays there.
        var next: UInt64 { sequence < VaultLimits.lastNumber ? sequence + 1 : VaultLimits.lastNumber }

        static let start = AuditHead(sequence: 0, tag: [UInt8](repeating: 0, count: 32))
    }

    /// The same keys, with the log further on.
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
