// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// Replaces the vault by a temporary file that is complete and on the disk.
extension VaultFolder {
    /// Gives a temporary file the name of the vault.
    ///
    /// - Parameters:
    ///   - name: the temporary file. Afterwards it is gone, or the caller must remove it.
    ///   - current: the file that the change was made for; nil for the first save.
    /// - Throws: the error of the step that failed. The old vault is in place then, unless undoing the change failed
    ///   too; in that case the new one is.
    func publish(_ name: String, over current: [UInt8]?, keepingPrevious: Bool) throws(CredentialError) {
        // First, so that nothing else has happened if the removal fails, and so that one sync of the directory covers
        // it too.
        if !keepingPrevious {
            try translated { () throws(PlatformError) in try directory.remove(Self.previousName) }
        }
        guard let current else { return try publishFirst(name) }
        switch relx_exchange(directory.descriptor, name, directory.descriptor, Self.fileName) {
        case 0: try confirm(name, current)
        case -EINVAL, -ENOSYS: return try overwrite(name, current)
        case -ENOENT: throw .conflict(reason: "the file is gone")
        case let failure: throw Self.failed("rename", path, -failure)
        }
        // The save is done. The old file now has the temporary name. If it stays there, the next save removes it.
        if !keepingPrevious
            || renameat(directory.descriptor, name, directory.descriptor, Self.previousName) != 0
        {
            unlinkat(directory.descriptor, name, 0)
        }
    }

    /// Checks that the old file is the one that was read, and syncs the directory. If either fails, exchanges the
    /// names back.
    private func confirm(_ name: String, _ current: [UInt8]) throws(CredentialError) {
        do throws(CredentialError) {
            try requireUnchanged(name, current)
            try synchronize()
        } catch {
            _ = relx_exchange(directory.descriptor, name, directory.descriptor, Self.fileName)
            throw error
        }
    }

    private func publishFirst(_ name: String) throws(CredentialError) {
        switch relx_rename_new(directory.descriptor, name, directory.descriptor, Self.fileName) {
        case 0: break
        case -EEXIST: throw .vaultExists(path: path)
        case -EINVAL, -ENOSYS: try rename(name)
        case let failure: throw Self.failed("rename", path, -failure)
        }
        do throws(CredentialError) {
            try synchronize()
        } catch {
            renameat(directory.descriptor, Self.fileName, directory.descriptor, name)
            throw error
        }
    }

    /// Renames the temporary file, for file systems that cannot exchange names. This cannot be undone, and no
    /// previous file is kept.
    private func overwrite(_ name: String, _ current: [UInt8]) throws(CredentialError) {
        try requireUnchanged(Self.fileName, current)
        try translated { () throws(PlatformError) in try directory.remove(Self.previousName) }
        try rename(name)
        try synchronize()
    }

    /// Checks that the file has not changed. A program that does not use the lock may have written since it was read.
    private func requireUnchanged(_ name: String, _ current: [UInt8]) throws(CredentialError) {
        do throws(PlatformError) {
            let bytes = try AtomicFile.read(name, in: directory, maximumBytes: VaultLimits.fileBytes)
            if bytes == current { return }
        } catch {
            if case .system = error { throw .storage(error) }
        }
        throw .conflict(reason: "it was replaced during the save")
    }

    private func rename(_ name: String) throws(CredentialError) {
        guard renameat(directory.descriptor, name, directory.descriptor, Self.fileName) == 0 else {
            throw Self.failed("rename", path, errno)
        }
    }

    private func synchronize() throws(CredentialError) {
        try translated { () throws(PlatformError) in try directory.synchronize() }
    }

    private static func failed(_ call: String, _ subject: String, _ errno: Int32) -> CredentialError {
        .storage(.system(call: call, subject: subject, errno: errno))
    }
}
