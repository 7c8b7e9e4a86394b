// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// The key provider that needs nobody to type: systemd encrypts the key with what the machine has, a TPM or the key of
/// the host, for this user alone. The encrypted key is a file beside the vault, one for each vault.
///
/// Whoever is root on this machine can open it; a copy of the disk, or another user, cannot.
package struct SystemdCreds: KeyProvider {
    package static let usualSocketPath = "/run/systemd/io.systemd.Credentials"

    private let directory: String
    private let service: SystemdCredsService

    /// - Parameters:
    ///   - directory: that of the vault; made with the first key.
    ///   - deadline: for each of a few calls.
    package init(
        directory: String,
        socketPath: String = SystemdCreds.usualSocketPath,
        deadline: Duration = .seconds(30)
    ) {
        self.directory = directory
        service = SystemdCredsService(socketPath: socketPath, deadline: deadline)
    }

    package var kind: KeyProviderKind { .systemdCreds }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        let name = "relativityd.probe"
        let key = try freshKey(in: arena)
        let blob = try service.encrypt(key, name: name)
        guard try service.decrypt(blob, name: name, in: arena).isEqual(to: key) else {
            throw unavailable("it gave back another key than it was given")
        }
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        if let key = try storedKey(for: storeID, in: arena) { return key }
        let key = try freshKey(in: arena)
        let blob = try service.encrypt(key, name: Self.credentialName(storeID))
        try translated { () throws(PlatformError) in
            let directory = try ProtectedDirectory(directory, creating: true)
            try AtomicFile.write(blob, to: Self.fileName(storeID), in: directory)
        }
        do throws(CredentialError) {
            guard try storedKey(for: storeID, in: arena)?.isEqual(to: key) == true else {
                throw unavailable("it gave back another key than it was given")
            }
        } catch {
            // The first failure is the one to tell.
            try? removeKey(for: storeID)
            throw error
        }
        return key
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        guard let key = try storedKey(for: storeID, in: arena) else {
            throw unavailable("'\(directory)/\(Self.fileName(storeID))' is not there")
        }
        return key
    }

    package func removeKey(for storeID: [UInt8]) throws(CredentialError) {
        do throws(PlatformError) {
            try ProtectedDirectory(directory).remove(Self.fileName(storeID))
        } catch {
            if case .system(_, _, errno: ENOENT) = error { return }
            throw CredentialError(error)
        }
    }

    /// - Returns: nil if there is no file for this vault.
    private func storedKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret? {
        guard let blob = try blob(for: storeID) else { return nil }
        return try service.decrypt(blob, name: Self.credentialName(storeID), in: arena)
    }

    private func blob(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]? {
        let name = Self.fileName(storeID)
        let bytes: [UInt8]?
        do throws(PlatformError) {
            bytes = try AtomicFile.read(
                name,
                in: try ProtectedDirectory(directory),
                maximumBytes: SystemdCredsService.maximumBlobBytes
            )
        } catch {
            switch error {
            case .system(_, _, errno: ENOENT): return nil
            case .tooLarge: throw unavailable("'\(directory)/\(name)' is damaged")
            default: throw CredentialError(error)
            }
        }
        guard var bytes else { return nil }
        // A person may have copied it with an editor.
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy({ Base64.value(of: $0) != nil || $0 == UInt8(ascii: "=") }) else {
            throw unavailable("'\(directory)/\(name)' is damaged")
        }
        return bytes
    }

    private func freshKey(in arena: SecretArena) throws(CredentialError) -> Secret {
        try translated { () throws(PlatformError) in
            try Secret(randomBytes: SystemdCredsService.keyByteCount, in: arena)
        }
    }

    static func fileName(_ storeID: [UInt8]) -> String { "vault-\(HexText.encode(storeID)).systemd-creds" }

    /// Ties the key to its vault: systemd refuses to decrypt it under any other name.
    private static func credentialName(_ storeID: [UInt8]) -> String { "relativityd.\(HexText.encode(storeID))" }

    private func unavailable(_ reason: String) -> CredentialError {
        .providerUnavailable(.systemdCreds, reason: reason)
    }
}
