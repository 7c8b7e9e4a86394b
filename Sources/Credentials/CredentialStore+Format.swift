// SPDX-License-Identifier: Apache-2.0

extension CredentialStore {
    /// Brings the vault's file to a format that this program writes. Each save chooses the lowest minor version that holds
    /// what is in the vault, and there is one major version so far: so it finds out whether the file can be written.
    ///
    /// - Throws: `CredentialError.versionTooNew` for a file of a later format, `.noVault`, and why it cannot be read.
    package func upgrade() async throws {
        await refresh()
        if let fault { throw fault }
        guard let header else { throw CredentialError.noVault(path: disk.options.directory) }
        guard header.minor <= VaultHeader.newestMinor else {
            throw CredentialError.versionTooNew(major: Int(VaultHeader.major), minor: Int(header.minor))
        }
    }
}
