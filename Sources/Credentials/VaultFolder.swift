// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The vault's files in their directory. All calls block and must be made on the thread pool.
struct VaultFolder: Sendable {
    static let fileName = "vault.rcv"
    /// The vault file before the last save.
    static let previousName = "vault.rcv.prev"

    let directory: ProtectedDirectory
    let random: any RandomSource
    /// How long a save waits for other writers.
    let patience: Duration
    /// The head of the audit log, which each save stores; nil without a log.
    var auditHead: VaultKeys.AuditHead?

    var path: String { directory.path(of: Self.fileName) }

    /// The content of a file to be written, and a check of the file that is read back.
    struct Draft {
        let bytes: [UInt8]
        /// Whether the old file must be removed, because it still contains a secret that was removed.
        let dropsPrevious: Bool
        let verify: (VaultFile) throws(CredentialError) -> OpenVault
    }

    /// Reads and parses the vault file.
    ///
    /// - Returns: nil if there is no vault.
    func read() throws(CredentialError) -> VaultFile? {
        try readBytes().map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) }
    }

    private func readBytes() throws(CredentialError) -> [UInt8]? {
        try translated { () throws(PlatformError) in
            try AtomicFile.read(Self.fileName, in: directory, maximumBytes: VaultLimits.fileBytes)
        }
    }

    /// Replaces the vault under its lock. After any failure the file is the complete old one or the complete new one.
    ///
    /// - Parameter draft: receives the current file under the lock, and returns the content to write.
    func save(_ draft: (VaultFile?) throws(CredentialError) -> Draft) throws(CredentialError) -> OpenVault {
        try replace { bytes throws(CredentialError) in
            try draft(try bytes.map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) })
        }
    }

    /// Replaces the vault without parsing the current file, so that a damaged one can be replaced too. Otherwise like
    /// `save`.
    func replace(_ draft: ([UInt8]?) throws(CredentialError) -> Draft) throws(CredentialError) -> OpenVault {
        try VaultLock.hold(in: directory, patience: patience) { () throws(CredentialError) in
            removeStaleFiles()
            let current = try readBytes()
            return try write(try draft(current), over: current)
        }
    }

    private func write(_ draft: Draft, over current: [UInt8]?) throws(CredentialError) -> OpenVault {
        let name = try temporaryName()
        do throws(CredentialError) {
            let readBack = try translated { () throws(PlatformError) in
                let file = try ProtectedFile.create(name, in: directory)
                try file.writeAll(draft.bytes)
                let readBack = try file.readAll(maximumBytes: VaultLimits.fileBytes)
                try file.synchronize()
                return readBack
            }
            let vault = try draft.verify(try VaultFile(parsing: readBack))
            try publish(name, over: current, keepingPrevious: !draft.dropsPrevious)
            return vault
        } catch {
            unlinkat(directory.descriptor, name, 0)
            guard case .storage(let cause) = error else { throw error }
            throw .storage(cause.about(path, insteadOf: directory.path(of: name)))
        }
    }
}
