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

/// The definitions of the API's interfaces, as `org.varlink.service.GetInterfaceDescription` answers them.
public enum InterfaceText {
    /// In the order in which `GetInfo` lists them.
    public static let all = [
        ManagerAPI.definition, RegistryAPI.definition, CredentialsAPI.definition, BrokerAPI.definition,
        AuditAPI.definition,
    ]
}

/// Sizes that caller and daemon agree on.
public enum APILimits {
    /// The longest piece of a file behind an upgrade.
    public static let pieceBytes = 65_536
    /// The longest vault file: the longest payload, a header with eight key slots, and the payload's tag.
    public static let vaultBytes = (8 << 20) + 2_228 + 16
}
