// SPDX-License-Identifier: Apache-2.0

import Platform

/// One file in `$CREDENTIALS_DIRECTORY`. It must be owned by the user or by root and closed to others. It is read
/// directly into an arena.
struct CredentialFile {
    let path: String

    /// Reads the file.
    ///
    /// - Throws: `CredentialError.unsafePermissions`; `.storage` if the file cannot be read or is larger than
    ///   `maximumBytes`.
    func read(maximumBytes: Int, in arena: SecretArena) throws(CredentialError) -> Secret {
        do throws(PlatformError) {
            return try SecretFile.withDescriptor(of: path) { descriptor throws(PlatformError) in
                try Secret(reading: descriptor, named: path, maximumBytes: maximumBytes, in: arena)
            }
        } catch .unsafePermissions(let path, let reason, let fix) {
            throw .unsafePermissions(path: path, reason: reason, fix: fix)
        } catch {
            throw .storage(error)
        }
    }
}
