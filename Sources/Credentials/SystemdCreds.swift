// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// A key provider that needs no input from the user. systemd encrypts the key for this user alone, with a TPM or the
/// host's key. The encrypted key is a file next to the vault, one for each vault.
///
/// A process with root privileges on this machine can decrypt it. A copy of the disk or another user cannot.
package struct SystemdCreds: KeyProvider {
    /// The usual path of systemd's socket.
    package static let usualSocketPath = "/run/systemd/io.systemd.Credentials"

    private let directory: String
    private let service: SystemdCredsService

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - directory: the vault's directory, made with the first key.
    ///   - deadline: the timeout for each of a few calls.
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
            // Report the first failure, not one of the removal.
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

    /// Reads and decrypts the stored key.
    ///
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
        // The user may have copied the file with an editor, which appends a line feed.
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

    /// The name binds the key to its vault: systemd refuses to decrypt it under any other name.
    private static func credentialName(_ storeID: [UInt8]) -> String { "relativityd.\(HexText.encode(storeID))" }

    private func unavailable(_ reason: String) -> CredentialError {
        .providerUnavailable(.systemdCreds, reason: reason)
    }
}
