// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// Fair lock for writers of one file, in order of arrival. With plain retries, a writer that has just finished would
/// usually get the lock again before a waiting one wakes up.
///
/// A writer joins by locking the first byte above all locked bytes of the lock file; byte 0 serialises joining. The
/// writer with the lowest locked byte may write. Locks belong to the open file description, so a process that exits
/// or is killed leaves the queue without any cleanup.
struct VaultQueue {
    private static let door: Int64 = 0
    private static let firstPlace: Int64 = 1

    let descriptor: Int32
    /// Only for error messages.
    let path: String

    /// Joins the queue without waiting.
    ///
    /// - Returns: the locked byte; nil while another writer joins.
    func join() throws(CredentialError) -> Int64? {
        guard try isDone(relx_try_lock_byte(descriptor, Self.door)) else { return nil }
        defer { _ = relx_unlock_byte(descriptor, Self.door) }
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
