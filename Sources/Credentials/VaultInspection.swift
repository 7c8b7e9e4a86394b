// SPDX-License-Identifier: Apache-2.0

import Platform

/// Looks into a vault's file, which may be a copy anywhere, without the daemon and without writing anything.
package struct VaultInspection: Sendable {
    private let disk: VaultDisk

    /// - Parameter options: name the vault's own place, its key providers, and where its anchors are.
    package init(_ options: VaultOptions) {
        disk = VaultDisk(options: options)
    }

    /// Checks form and digest.
    ///
    /// - Throws: `CredentialError.notAVault`, `.versionTooNew`, `.damaged`, or why the file cannot be read.
    package func look(at path: String) throws(CredentialError) -> SeenVault {
        let file = try translated { () throws(PlatformError) in
            try RegularFile(reading: path, maximumBytes: VaultLimits.fileBytes)
        }
        return SeenVault(
            file: try VaultFile(parsing: file.bytes),
            isInPlace: file.isSame(as: disk.options.directory + "/" + VaultFolder.fileName),
            warnings: file.exposure.map { [$0] } ?? []
        )
    }

    /// Opens the file as the daemon would, and every login's own seal.
    ///
    /// - Parameters:
    ///   - offer: of a kind that the file has a slot of.
    ///   - anchor: a file to hold it against, instead of what is remembered of the vault in its place.
    /// - Throws: `CredentialError.wrongKey`, `.providerUnavailable`, `.damaged`, or why the anchor cannot be read. An
    ///   anchor that speaks against the file is no error here.
    package func open(
        _ seen: SeenVault,
        with offer: KeyOffer,
        anchor: String?
    ) throws(CredentialError) -> ProvenVault {
        let vault = try disk.unlock(seen.file, offer)
        for entry in vault.payload.entries {
            try vault.checkSeals(of: entry)
        }
        return ProvenVault(
            loginCount: vault.payload.entries.count,
            anchor: try findings(seen, vault, anchor).map { AnchorReview(of: VaultPosition(vault), $0).status }
        )
    }

    private func findings(
        _ seen: SeenVault,
        _ vault: OpenVault,
        _ path: String?
    ) throws(CredentialError) -> [AnchorPlace: AnchorFinding]? {
        guard let path else { return seen.isInPlace ? disk.anchors.findings(for: vault) : nil }
        let file = try translated { () throws(PlatformError) in
            try RegularFile(reading: path, maximumBytes: RollbackAnchor.byteCount + 1)
        }
        return [.file: VaultAnchors.finding(for: vault) { file.bytes }]
    }
}

extension OpenVault {
    fileprivate func checkSeals(of entry: VaultEntry) throws(CredentialError) {
        let pin = try pin(of: entry)
        _ = try secret(.password, of: entry, pin: pin)
        if entry.envelope != nil { _ = try secret(.envelope, of: entry, pin: pin) }
    }
}

extension AnchorReview {
    /// For a comparison that writes no anchors: the places are those where one was found.
    fileprivate var status: AnchorStatus {
        AnchorStatus(
            verdict: verdict,
            known: newest?.generation,
            places: found.sorted { "\($0)" < "\($1)" },
            notes: ignored.map { $1.sentence(on: $0) }.sorted()
        )
    }
}
