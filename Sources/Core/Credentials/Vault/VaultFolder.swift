// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// What becomes of `vault.rcv.prev` at a save.
enum PreviousFile: Sendable {
    /// It becomes the file that is replaced.
    case replaced
    /// It is removed, because a secret was removed that the replaced file still contains.
    case removed
    /// It stays: the save is a part of what the user did with the save before.
    case unchanged
}

/// The vault's files in their directory. All calls block and must be made on the thread pool.
struct VaultFolder: Sendable {
    static let fileName = "vault.rcv"
    /// The vault file before the last save.
    static let previousName = "vault.rcv.prev"

    let directory: ProtectedDirectory
    let random: any RandomSource
    /// How long a save waits for other writers.
    let lockTimeout: Duration
    /// The head of the audit log, which each save stores; nil without a log.
    var auditHead: VaultKeys.AuditHead?

    var path: String { directory.path(of: Self.fileName) }

    /// Reads and parses the vault file.
    ///
    /// - Returns: nil if there is no vault.
    func read() throws(CredentialError) -> VaultFile? {
        try readBytes().map { bytes throws(CredentialError) in try VaultFile(parsing: bytes) }
    }

    /// The error of a missing vault file whose copy is still there; nil if there is no copy.
    var lostFile: CredentialError? {
        let isCopied = faccessat(directory.descriptor, Self.previousName, F_OK, AT_SYMLINK_NOFOLLOW) == 0
        return isCopied ? .fileMissing(path: path, copy: directory.path(of: Self.previousName)) : nil
    }

    /// Gives a copy that no save may replace a name of its own, `vault.rcv.prev.saved-1`.
    ///
    /// - Returns: nil if there is no copy.
    func keepPrevious() throws(CredentialError) -> String? {
        guard lostFile != nil else { return nil }
        let path = try translated(directory.setAside(Self.previousName, as: "saved"))
        return String(path.dropFirst(directory.path.count + 1))
    }

    private func readBytes() throws(CredentialError) -> [UInt8]? {
        try translated(AtomicFile.read(Self.fileName, in: directory, maximumBytes: VaultLimits.fileBytes))
    }

    /// Replaces the vault under its lock. After any failure the file is the complete old one or the complete new one.
    ///
    /// - Parameters:
    ///   - previous: what becomes of the file that is replaced.
    ///   - draft: receives the current file under the lock, and returns the content to write. The file is not parsed,
    ///     so that a damaged one can be replaced too.
    func save(
        previous: PreviousFile,
        _ draft: ([UInt8]?) throws(CredentialError) -> VaultDraft
    ) throws(CredentialError) -> OpenVault {
        try VaultLock.hold(in: directory, lockTimeout: lockTimeout) { () throws(CredentialError) in
            removeStaleFiles()
            let current = try readBytes()
            return try write(try draft(current), over: current, previous)
        }
    }

    private func write(
        _ draft: VaultDraft,
        over current: [UInt8]?,
        _ previous: PreviousFile
    ) throws(CredentialError) -> OpenVault {
        let bytes = try draft.sealed(random: random)
        let name = try translated(AtomicFile.temporaryName(of: Self.temporaryStem, random: random))
        do throws(CredentialError) {
            let readBack = try translating { () throws(PlatformError) in
                let file = try ProtectedFile.create(name, in: directory)
                try file.writeAll(bytes)
                let readBack = try file.readAll(maximumBytes: VaultLimits.fileBytes)
                try file.synchronize()
                return readBack
            }
            let vault = try draft.opened(readBack, as: bytes)
            try publish(name, over: current, previous)
            return vault
        } catch {
            unlinkat(directory.descriptor, name, 0)
            guard case .storage(let cause) = error else { throw error }
            throw .storage(cause.about(path, insteadOf: directory.path(of: name)))
        }
    }
}

/// Replaces the vault by a temporary file that is complete and on the disk.
extension VaultFolder {
    /// Gives a temporary file the name of the vault.
    ///
    /// - Parameters:
    ///   - name: the temporary file. Afterwards it is gone, or the caller must remove it.
    ///   - current: the file that the change was made for; nil for the first save.
    /// - Throws: the error of the step that failed. The old vault is in place then, unless undoing the change failed
    ///   too; in that case the new one is.
    func publish(_ name: String, over current: [UInt8]?, _ previous: PreviousFile) throws(CredentialError) {
        // First, so that nothing else has happened if the removal fails, and so that one sync of the directory covers
        // it too.
        if previous == .removed { try translated(directory.remove(Self.previousName)) }
        guard let current else { return try publishFirst(name) }
        switch relx_exchange(directory.descriptor, name, directory.descriptor, Self.fileName) {
        case 0: try confirm(name, current)
        case -EINVAL, -ENOSYS: return try overwrite(name, current, previous)
        case -ENOENT: throw .conflict(reason: "the file is gone")
        case let failure: throw failed(-failure)
        }
        // The save is done. The old file now has the temporary name. If it stays there, the next save removes it.
        if previous != .replaced || renameat(directory.descriptor, name, directory.descriptor, Self.previousName) != 0 {
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
        case let failure: throw failed(-failure)
        }
        do throws(CredentialError) {
            try synchronize()
        } catch {
            renameat(directory.descriptor, Self.fileName, directory.descriptor, name)
            throw error
        }
    }

    /// Renames the temporary file, for file systems that cannot exchange names. This cannot be undone.
    private func overwrite(_ name: String, _ current: [UInt8], _ previous: PreviousFile) throws(CredentialError) {
        try requireUnchanged(Self.fileName, current)
        if previous == .replaced { try translated(AtomicFile.write(current, to: Self.previousName, in: directory)) }
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
        try translated(directory.rename(name, to: Self.fileName))
    }

    private func synchronize() throws(CredentialError) {
        try translated(directory.synchronize())
    }

    private func failed(_ errno: Int32) -> CredentialError {
        .storage(.system(call: "rename", subject: path, errno: errno))
    }
}

extension VaultFolder {
    /// The name in those of the vault's temporary files, `.vault.<16 hex digits>.tmp`.
    private static let temporaryStem = "vault"

    /// Removes the temporary files of an interrupted save if no save is running.
    func removeStaleFilesIfIdle() {
        // If the lock is held, its holder has removed them already.
        try? VaultLock.hold(in: directory, lockTimeout: .zero) { removeStaleFiles() }
    }

    /// Removes temporary files. Call it only under the lock; otherwise one of them may be in use by a save.
    func removeStaleFiles() {
        AtomicFile.removeStaleFiles(of: [Self.temporaryStem, Self.previousName], in: directory)
    }
}

/// The lock for writing the vault. It consists of open-file-description locks on a file that is never removed, so
/// that it also works between two stores of one process and between two hosts that share the directory.
enum VaultLock {
    static let fileName = "vault.lock"
    private static let pollMilliseconds: Int32 = 5

    /// Runs `body` under the lock, after blocking the thread until the lock is acquired.
    ///
    /// - Throws: `CredentialError.storeBusy` if the lock was not acquired within `lockTimeout`; any error of `body`.
    static func hold<R>(
        in directory: ProtectedDirectory,
        lockTimeout: Duration,
        _ body: () throws(CredentialError) -> R
    ) throws(CredentialError) -> R {
        let file = try translated(ProtectedFile.openOrCreate(fileName, in: directory, maximumBytes: .max))
        let queue = VaultQueue(descriptor: file.descriptor, path: file.path)
        let deadline = ContinuousClock.now + lockTimeout
        var place: Int64?
        while true {
            if place == nil { place = try queue.join() }
            if let place, try queue.isFirst(place) { break }
            guard ContinuousClock.now < deadline else {
                throw .storeBusy(holder: LockHolder.read(from: file, isOther: true))
            }
            poll(nil, 0, pollMilliseconds)
        }
        LockHolder.write(into: file)
        return try withExtendedLifetime(file, body)
    }
}

/// Fair lock for writers of one file, in order of arrival. With plain retries, a writer that has just finished would
/// usually get the lock again before a waiting one wakes up.
///
/// A writer joins by locking the first byte above all locked bytes of the lock file; byte 0 serialises joining. The
/// writer with the lowest locked byte may write. Locks belong to the open file description, so a process that exits
/// or is killed leaves the queue without any cleanup.
struct VaultQueue {
    private static let entryByte: Int64 = 0
    private static let firstPlace: Int64 = 1

    let descriptor: Int32
    /// The path of the file for error messages.
    let path: String

    /// Joins the queue without waiting.
    ///
    /// - Returns: the locked byte; nil while another writer joins.
    func join() throws(CredentialError) -> Int64? {
        guard try isDone(relx_try_lock_byte(descriptor, Self.entryByte)) else { return nil }
        defer { _ = relx_unlock_byte(descriptor, Self.entryByte) }
        var place = Self.firstPlace
        while try isThere(relx_find_lock(descriptor, place, 0, &place)) {
            guard place < .max else { return nil }
        }
        return try isDone(relx_try_lock_byte(descriptor, place)) ? place : nil
    }

    /// Whether no writer is before this one in the queue.
    func isFirst(_ place: Int64) throws(CredentialError) -> Bool {
        var end: Int64 = 0
        guard place > Self.firstPlace else { return true }
        return try !isThere(relx_find_lock(descriptor, Self.firstPlace, place - Self.firstPlace, &end))
    }

    private func isDone(_ result: Int32) throws(CredentialError) -> Bool {
        guard result != -EAGAIN, result != -EACCES, result != -EINTR else { return false }
        return try check(result) == 0
    }

    private func isThere(_ result: Int32) throws(CredentialError) -> Bool {
        try check(result) == 1
    }

    private func check(_ result: Int32) throws(CredentialError) -> Int32 {
        guard result >= 0 else { throw .storage(.system(call: "lock", subject: path, errno: -result)) }
        return result
    }
}
