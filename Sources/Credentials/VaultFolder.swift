// SPDX-License-Identifier: Apache-2.0

import CLinux
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
        let bytes = try translated { () throws(PlatformError) in
            try AtomicFile.read(Self.fileName, in: directory, maximumBytes: VaultLimits.fileBytes)
        }
        return try bytes.map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) }
    }

    /// Replaces the vault under its lock. Whatever fails, the file is the old one or the new one, whole.
    ///
    /// - Parameter draft: gets the file as it is now, under the lock, and says what to write.
    func save(_ draft: (VaultFile?) throws(CredentialError) -> Draft) throws(CredentialError) -> OpenVault {
        try VaultLock.hold(in: directory, patience: patience) { () throws(CredentialError) in
            removeStaleFiles()
            let current = try read()
            return try write(try draft(current), replacing: current != nil)
        }
    }

    private func write(_ draft: Draft, replacing: Bool) throws(CredentialError) -> OpenVault {
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
            try publish(name, replacing: replacing, keepingPrevious: !draft.dropsPrevious)
            return vault
        } catch {
            unlinkat(directory.descriptor, name, 0)
            throw error
        }
    }

    private func publish(_ name: String, replacing: Bool, keepingPrevious: Bool) throws(CredentialError) {
        let descriptor = directory.descriptor
        let exchanged = replacing ? relx_exchange(descriptor, name, descriptor, Self.fileName) : -EINVAL
        try translated { () throws(PlatformError) in
            if exchanged == 0 {
                // Under the temporary name now stands the old file.
                if keepingPrevious {
                    try rename(name, Self.previousName)
                } else {
                    try directory.remove(name)
                    try directory.remove(Self.previousName)
                }
            } else if exchanged == -EINVAL || exchanged == -ENOSYS {
                // The first save, or a file system that cannot exchange and so keeps no previous file.
                try rename(name, Self.fileName)
                try directory.remove(Self.previousName)
            } else {
                throw .system(call: "rename", subject: path, errno: -exchanged)
            }
            try directory.synchronize()
        }
    }

    private func rename(_ name: String, _ newName: String) throws(PlatformError) {
        guard renameat(directory.descriptor, name, directory.descriptor, newName) == 0 else {
            throw .system(call: "rename", subject: directory.path(of: newName), errno: errno)
        }
    }
}
