// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// A line of writers before one file, first come, first served. Trying in turns would let who has just finished begin
/// again before any of those who wait wake up.
///
/// A place in the line is a locked byte of the file, above all others that are locked; whose byte is the lowest may write.
/// Places are given out under the lock of a byte of its own, for the moment that takes. The locks belong to the open file:
/// who ends or is killed leaves the line, and nothing has to be written.
struct VaultQueue {
    private static let door: Int64 = 0
    private static let firstPlace: Int64 = 1

    let descriptor: Int32
    /// For messages only.
    let path: String

    /// Joins the line, without waiting.
    ///
    /// - Returns: nil while another joins it.
    func join() throws(CredentialError) -> Int64? {
        guard try isDone(relx_try_lock_byte(descriptor, Self.door)) else { return nil }
        defer { _ = relx_unlock_byte(descriptor, Self.door) }
        var place = Self.firstPlace
        while try isThere(relx_find_lock(descriptor, place, 0, &place)) {
            guard place < .max else { return nil }
        }
        return try isDone(relx_try_lock_byte(descriptor, place)) ? place : nil
    }

    /// Whether nobody stands before this place.
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
