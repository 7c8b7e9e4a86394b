// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

/// Inspects a vault file, which may be a copy anywhere, without the daemon and without writing.
package struct VaultInspection: Sendable {
    private let disk: VaultDisk

    /// Makes an inspection.
    ///
    /// - Parameter options: the location of the user's vault, its key providers and its anchors.
    package init(_ options: VaultOptions) {
        disk = VaultDisk(options: options)
    }

    /// Checks the form and the digest of a file.
    ///
    /// - Throws: `CredentialError.notAVault`, `.versionTooNew`, `.damaged`, or the error of reading the file.
    package func look(at path: String) throws(CredentialError) -> UnverifiedVault {
        let file = try translated(RegularFile(reading: path, maximumBytes: VaultLimits.fileBytes))
        return UnverifiedVault(
            file: try VaultFile(parsing: file.bytes),
            isInPlace: file.isSame(as: disk.options.directory + "/" + VaultFolder.fileName),
            warnings: file.exposure.map { [$0] } ?? []
        )
    }

    /// Opens the file as the daemon would, and the seal of every login.
    ///
    /// - Parameters:
    ///   - input: the input for a kind of slot that the file has.
    ///   - anchor: an anchor file to compare with, instead of the anchors of the user's vault.
    /// - Throws: `CredentialError.wrongKey`, `.providerUnavailable`, `.damaged`, or the error of reading the anchor.
    ///   A suspicion that an anchor raises is not an error here.
    package func open(
        _ file: UnverifiedVault,
        with input: UnlockInput,
        anchor: String?
    ) throws(CredentialError) -> VerifiedVault {
        let vault = try disk.unlock(file.file, input)
        for entry in vault.payload.entries {
            _ = try vault.secret(of: entry, pin: try vault.pinned(of: entry).pin)
        }
        return VerifiedVault(
            loginCount: vault.payload.entries.count,
            anchor: try copies(file, vault, anchor).map { copies in
                let (verdict, newest) = AnchorVerdict.of(vault.record, copies.compactMap(\.anchor))
                // No anchor is written here, so the locations are those that have one.
                let places = copies.filter { $0.anchor != nil }.map { "\($0.place)" }.sorted()
                return verdict.status(known: newest, places: places, notes: copies.notes)
            }
        )
    }

    private func copies(
        _ file: UnverifiedVault,
        _ vault: OpenVault,
        _ path: String?
    ) throws(CredentialError) -> [AnchorCopy]? {
        guard let path else { return file.isInPlace ? disk.anchors.copies(for: vault) : nil }
        let file = try translated(RegularFile(reading: path, maximumBytes: AnchorRecord.byteCount + 1))
        return [VaultAnchors.copy(at: .file, for: vault) { file.bytes }]
    }
}

/// A vault file as far as it can be read without a key. None of it is authenticated: any process that can write the
/// file can forge it.
package struct UnverifiedVault: Sendable {
    let file: VaultFile
    /// Whether the file is this user's vault, not a copy of it.
    package let isInPlace: Bool
    /// Warnings that other users could have changed the file.
    package let warnings: [String]

    /// The version of the file's format, `major.minor`.
    package var format: String { file.header.format }
    /// The store ID, 32 hexadecimal digits.
    package var storeID: String { HexText.encode(file.header.storeID) }
    /// The number of the save.
    package var generation: UInt64 { file.header.generation }
    /// SHA-256 of the file, 64 hexadecimal digits.
    package var hash: String { HexText.encode(file.hash) }
    /// The key slots.
    package var slots: [VaultSlot] { file.header.slotFacts }
    /// The ID of the slot that is the easiest to open for a thief who has the disk.
    package var weakestSlot: String? { file.header.weakestSlot }
}

/// The bytes of a complete vault file. They are sealed, so they may leave the daemon.
package struct VaultCopy: Sendable, Hashable {
    /// The content of the file.
    package let bytes: [UInt8]
    /// The number of the save.
    package let generation: UInt64
    /// The number of logins.
    package let logins: Int
    /// SHA-256 of `bytes`.
    package let hash: [UInt8]
}

/// A vault file from another location, opened for its logins.
package struct OpenedCopy: Sendable {
    let vault: OpenVault

    /// The names and URLs of the endpoints of its logins, if the file contains them.
    package var locations: [EndpointID: EndpointLocation] {
        var locations: [EndpointID: EndpointLocation] = [:]
        for pinned in vault.payload.pins where pinned.alternateOf == nil {
            locations[pinned.endpoint] = pinned.location
        }
        return locations
    }
}
