// SPDX-License-Identifier: Apache-2.0

import Endpoints
package import Platform

/// The key provider for servers: a key that systemd or the administrator places in `$CREDENTIALS_DIRECTORY`.
package struct CredentialsDirectory: KeyProvider {
    static let fileName = "relativityd.vault-key"

    /// The directory; nil if the variable is not set.
    let path: String?

    /// Makes a provider for a directory.
    ///
    /// - Parameter path: `$CREDENTIALS_DIRECTORY`, if it is set.
    package init(path: String?) {
        self.path = path
    }

    package var kind: KeyProviderKind { .credentialsDirectory }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        _ = try key(in: arena)
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(in: arena)
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(in: arena)
    }

    /// Does nothing, because the file belongs to the administrator.
    package func removeKey(for storeID: [UInt8]) {}

    /// Reads the key.
    ///
    /// - Returns: the 32 bytes of the key. The file contains them directly, or as 64 hexadecimal digits and a line
    ///   feed.
    /// - Throws: `CredentialError.providerUnavailable`, `.unsafePermissions`
    func key(in arena: SecretArena) throws(CredentialError) -> Secret {
        guard let path, path.hasPrefix("/") else {
            throw unavailable(ProviderFault(code: .noDirectory, detail: Self.fileName))
        }
        let file = path + "/" + Self.fileName
        let text: Secret
        do throws(CredentialError) {
            text = try CredentialFile(path: file).read(maximumBytes: ProviderKey.hexByteCount, in: arena)
        } catch {
            guard case .storage(let failure) = error else { throw error }
            throw unavailable(ProviderFault(code: .error, detail: "\(failure)"))
        }
        guard let key = try ProviderKey.parse(text, in: arena) else {
            throw unavailable(ProviderFault(code: .keyMalformed, path: file))
        }
        return key
    }

    private func unavailable(_ fault: ProviderFault) -> CredentialError {
        .providerUnavailable(.credentialsDirectory, fault)
    }
}

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
