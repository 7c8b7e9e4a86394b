// SPDX-License-Identifier: Apache-2.0

// Clients find the types that modules share as members of the interfaces, whose module they import.
@_exported public import Endpoints

// Additions to the generated types that an interface description cannot express.

extension CredentialsAPI.Anchor {
    /// Whether the vault's file may be an older or another one. The vault is read-only then.
    public var isSuspected: Bool { verdict == .rollbackSuspected || verdict == .forkSuspected }
}

/// Sizes that client and daemon agree on.
public enum APILimits {
    /// The length of the longest chunk of a file after an upgrade.
    public static let pieceBytes = 65_536
    /// The length of the longest vault file: the longest payload, a header with eight key slots, and the payload's tag.
    public static let vaultBytes = (8 << 20) + 2_228 + 16
}
