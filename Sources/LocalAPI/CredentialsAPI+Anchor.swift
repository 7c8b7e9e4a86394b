// SPDX-License-Identifier: Apache-2.0

extension CredentialsAPI.Anchor {
    /// The vault's file may be an older one, or another one. It is read-only then.
    public var isSuspected: Bool { verdict == .rollbackSuspected || verdict == .forkSuspected }
}
