// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
package import Platform

/// A key provider that only obscures the key: a file of mode 0600 on the same machine, for machines that have nothing
/// better.
package struct KeyFile: KeyProvider {
    private static let maximumBytes = ProviderKey.hexByteCount

    let directory: String

    /// Makes a provider that stores its keys in a directory.
    ///
    /// - Parameter directory: private to the user; made when it is missing. It is not the vault's directory, so that
    ///   a copy of that directory does not contain the key.
    package init(directory: String) {
        self.directory = directory
    }

    package var kind: KeyProviderKind { .keyFile }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        let name = ".vault-key.probe"
        let directory = try folder(creating: true)
        defer { try? directory.remove(name) }
        let key = try translating { () throws(PlatformError) in
            try directory.remove(name)
            return try Secret(randomBytes: ProviderKey.byteCount, in: arena)
        }
        try write(key, to: name, in: directory)
        guard let again = try read(name, in: directory, arena), again.isEqual(to: key) else { throw differs }
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        let directory = try folder(creating: true)
        let name = Self.name(for: storeID)
        if let key = try read(name, in: directory, arena) { return key }
        let temporary = ".\(name).tmp"
        let key = try translating { () throws(PlatformError) in
            try directory.remove(temporary)
            return try Secret(randomBytes: ProviderKey.byteCount, in: arena)
        }
        do throws(CredentialError) {
            try write(key, to: temporary, in: directory)
            try translating { () throws(PlatformError) in
                try directory.rename(temporary, to: name)
                try directory.synchronize()
            }
        } catch {
            try? directory.remove(temporary)
            guard case .storage(let cause) = error else { throw error }
            throw .storage(cause.about(directory.path(of: name), insteadOf: directory.path(of: temporary)))
        }
        guard let again = try read(name, in: directory, arena), again.isEqual(to: key) else { throw differs }
        return again
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        let name = Self.name(for: storeID)
        let missing = unavailable(.keyMissing, path: "\(directory)/\(name)")
        guard let directory = try existingFolder() else { throw missing }
        guard let key = try read(name, in: directory, arena) else { throw missing }
        return key
    }

    package func removeKey(for storeID: [UInt8]) throws(CredentialError) {
        guard let directory = try existingFolder() else { return }
        try translating { () throws(PlatformError) in
            try directory.remove(Self.name(for: storeID))
            try directory.synchronize()
        }
    }

    static func name(for storeID: [UInt8]) -> String { "vault-\(HexText.encode(storeID)).key" }

    private func folder(creating: Bool) throws(CredentialError) -> ProtectedDirectory {
        try translated(ProtectedDirectory(directory, creating: creating))
    }

    private func existingFolder() throws(CredentialError) -> ProtectedDirectory? {
        do throws(PlatformError) {
            return try ProtectedDirectory(directory)
        } catch {
            if case .system(_, _, ENOENT) = error { return nil }
            throw CredentialError(error)
        }
    }

    private func write(
        _ key: borrowing Secret,
        to name: String,
        in directory: ProtectedDirectory
    ) throws(CredentialError) {
        try translating { () throws(PlatformError) in
            let file = try ProtectedFile.create(name, in: directory)
            try key.withBytes { bytes throws(PlatformError) in
                let code = OpenFile.writeAll(bytes, to: file.descriptor)
                guard code == 0 else { throw .system(call: "write", subject: file.path, errno: code) }
            }
            try file.synchronize()
        }
    }

    /// Reads a key file.
    ///
    /// - Returns: nil if there is no such file.
    private func read(
        _ name: String,
        in directory: ProtectedDirectory,
        _ arena: SecretArena
    ) throws(CredentialError) -> Secret? {
        let text: Secret
        do throws(PlatformError) {
            guard let file = try ProtectedFile.open(name, in: directory, maximumBytes: Self.maximumBytes) else {
                return nil
            }
            text = try Secret(
                reading: file.descriptor,
                named: file.path,
                maximumBytes: Self.maximumBytes,
                in: arena
            )
        } catch {
            guard case .tooLarge = error else { throw CredentialError(error) }
            throw malformed(name)
        }
        guard let key = try ProviderKey.parse(text, in: arena) else { throw malformed(name) }
        return key
    }

    private func malformed(_ name: String) -> CredentialError {
        unavailable(.keyMalformed, path: "\(directory)/\(name)")
    }

    private var differs: CredentialError { unavailable(.keyDiffers) }
}
