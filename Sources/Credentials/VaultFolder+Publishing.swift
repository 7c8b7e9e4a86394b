// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// How a temporary file that is whole and durable becomes the vault.
extension VaultFolder {
    /// - Parameters:
    ///   - name: of the temporary file. It is gone or the caller's to remove afterwards.
    ///   - current: the file that the change was made for; nil for the first save.
    /// - Throws: why the vault is the one it was, but where undoing the change failed too: then it is the new one.
    func publish(_ name: String, over current: [UInt8]?, keepingPrevious: Bool) throws(CredentialError) {
        // First: where it cannot be removed nothing else happens, and the one sync of the directory covers it too.
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
        // It is saved. Under the temporary name stands the old file; should it stay there, the next save removes it.
        if !keepingPrevious
            || renameat(directory.descriptor, name, directory.descriptor, Self.previousName) != 0
        {
            unlinkat(directory.descriptor, name, 0)
        }
    }

    /// Exchanges the names back unless the old file is the one that was read, and unless the new one is there for good.
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

    /// For file systems that cannot exchange names: nothing can be undone there, and no previous file is kept.
    private func overwrite(_ name: String, _ current: [UInt8]) throws(CredentialError) {
        try requireUnchanged(Self.fileName, current)
        try translated { () throws(PlatformError) in try directory.remove(Self.previousName) }
        try rename(name)
        try synchronize()
    }

    /// A program that does not ask for the lock may have written since we read.
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
