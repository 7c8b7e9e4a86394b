// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The vault's files in their directory. All calls block, and belong on a thread of their own.
struct VaultFolder: Sendable {
    static let fileName = "vault.rcv"
    /// The file before the last save.
    static let previousName = "vault.rcv.prev"

    let directory: ProtectedDirectory
    let random: any RandomSource
    /// How long a save waits for another writer.
    let patience: Duration
    /// Where the audit log stands, which each save takes along; nil without a log.
    var auditHead: VaultKeys.AuditHead?

    var path: String { directory.path(of: Self.fileName) }

    /// A file about to be written, and how to tell that it reads back as what was meant.
    struct Draft {
        let bytes: [UInt8]
        /// The old file must not be left behind: a secret that was taken away would still open it.
        let dropsPrevious: Bool
        let verify: (VaultFile) throws(CredentialError) -> OpenVault
    }

    /// - Returns: nil if there is no vault.
    func read() throws(CredentialError) -> VaultFile? {
        try readBytes().map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) }
    }

    private func readBytes() throws(CredentialError) -> [UInt8]? {
        try translated { () throws(PlatformError) in
            try AtomicFile.read(Self.fileName, in: directory, maximumBytes: VaultLimits.fileBytes)
        }
    }

    /// Replaces the vault under its lock. Whatever fails, the file is the old one or the new one, whole.
    ///
    /// - Parameter draft: gets the file as it is now, under the lock, and says what to write.
    func save(_ draft: (VaultFile?) throws(CredentialError) -> Draft) throws(CredentialError) -> OpenVault {
        try replace { bytes throws(CredentialError) in
            try draft(try bytes.map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) })
        }
    }

    /// The same for what does not build on the file that is there, and so does not care whether it is sound.
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
