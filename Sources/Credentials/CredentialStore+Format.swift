// SPDX-License-Identifier: Apache-2.0

extension CredentialStore {
    /// Brings the vault's file to the format that this program writes. There is one so far, so it finds out whether
    /// the file has it.
    ///
    /// - Throws: `CredentialError.versionTooNew` for a file of a later format, `.noVault`, and why it cannot be read.
    package func upgrade() async throws {
        await refresh()
        if let fault { throw fault }
        guard let header else { throw CredentialError.noVault(path: disk.options.directory) }
        guard header.minor <= VaultHeader.minor else {
            throw CredentialError.versionTooNew(major: Int(VaultHeader.major), minor: Int(header.minor))
        }
    }
}
