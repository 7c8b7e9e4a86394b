// SPDX-License-Identifier: Apache-2.0

// What the descriptions of the interfaces cannot say of the types that are made of them.

extension CredentialsAPI.Anchor {
    /// The vault's file may be an older one, or another one. It is read-only then.
    public var isSuspected: Bool { verdict == .rollbackSuspected || verdict == .forkSuspected }
}

extension BrokerAPI.Exchange {
    /// The words of `step`. The hyphen of one keeps them from being an enum of the interface.
    public enum Step: String, Sendable, CaseIterable {
        case expiry, login, exception, schema, logout
        case wrongPassword = "wrong-password"
    }
}

/// A reply with a vault's file in it.
public protocol VaultFileReply {
    /// The bytes as base64.
    var file: String { get }
    /// The SHA-256 of the bytes, in hexadecimal digits.
    var sha256: String { get }
    var generation: Int64 { get }
    /// The number of logins in it.
    var logins: Int64 { get }

    init(file: String, sha256: String, generation: Int64, logins: Int64)
}

extension CredentialsAPI.BackupReply: VaultFileReply {}
extension CredentialsAPI.ExportReply: VaultFileReply {}
