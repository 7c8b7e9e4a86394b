// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The lock for writing the vault. It consists of open-file-description locks on a file that is never removed, so
/// that it also works between two stores of one process and between two hosts that share the directory.
enum VaultLock {
    static let fileName = "vault.lock"
    private static let pollMilliseconds: Int32 = 5

    /// Runs `body` under the lock, after blocking the thread until the lock is acquired.
    ///
    /// - Throws: `CredentialError.storeBusy` if the lock was not acquired within `patience`; any error of `body`.
    static func hold<R>(
        in directory: ProtectedDirectory,
        patience: Duration,
        _ body: () throws(CredentialError) -> R
    ) throws(CredentialError) -> R {
        let file = try translated { () throws(PlatformError) in
            try ProtectedFile.openOrCreate(fileName, in: directory, maximumBytes: .max)
        }
        let queue = VaultQueue(descriptor: file.descriptor, path: file.path)
        let deadline = ContinuousClock.now + patience
        var place: Int64?
        while true {
            if place == nil { place = try queue.join() }
            if let place, try queue.isFirst(place) { break }
            guard ContinuousClock.now < deadline else { throw .storeBusy(holder: LockHolder.read(from: file)) }
            poll(nil, 0, pollMilliseconds)
        }
        LockHolder.write(into: file)
        return try withExtendedLifetime(file, body)
    }
}
