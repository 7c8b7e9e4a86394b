// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The key provider of servers: a key that systemd, or the administrator, lays into `$CREDENTIALS_DIRECTORY`.
package struct CredentialsDirectory: KeyProvider {
    static let fileName = "relativityd.vault-key"
    static let keyByteCount = 32
    private static let hexByteCount = 65

    /// nil when the variable is not set.
    let path: String?

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

    /// The file is the administrator's, and stays.
    package func removeKey(for storeID: [UInt8]) {}

    /// - Returns: the 32 bytes of the key, read as they are or from 64 hexadecimal digits and a line feed.
    /// - Throws: `CredentialError.providerUnavailable`, `.unsafePermissions`
    func key(in arena: SecretArena) throws(CredentialError) -> Secret {
        guard let path, path.hasPrefix("/") else {
            throw unavailable("CREDENTIALS_DIRECTORY is not set; add LoadCredential=\(Self.fileName) to the unit")
        }
        let file = path + "/" + Self.fileName
        var text: Secret
        do throws(CredentialError) {
            text = try CredentialFile(path: file).read(maximumBytes: Self.hexByteCount, in: arena)
        } catch {
            guard case .storage(let failure) = error else { throw error }
            throw unavailable("\(failure)")
        }
        if text.count == Self.keyByteCount { return text }
        guard let key = try Self.decodeHex(&text, in: arena) else {
            throw unavailable("'\(file)' holds neither 32 bytes nor 64 hexadecimal digits and a line feed")
        }
        return key
    }

    private static func decodeHex(_ text: inout Secret, in arena: SecretArena) throws(CredentialError) -> Secret? {
        let isHex = text.withBytes { bytes in
            bytes.count == hexByteCount && bytes.last == UInt8(ascii: "\n")
                && bytes.dropLast().allSatisfy { HexText.value(of: $0) != nil }
        }
        guard isHex else { return nil }
        return try translated { () throws(PlatformError) in
            try Secret(capacity: keyByteCount, in: arena) { room in
                text.withBytes { bytes in
                    for index in 0..<keyByteCount {
                        let high = HexText.value(of: bytes[2 * index]) ?? 0
                        room[index] = high << 4 | (HexText.value(of: bytes[2 * index + 1]) ?? 0)
                    }
                }
                return keyByteCount
            }
        }
    }

    private func unavailable(_ reason: String) -> CredentialError {
        .providerUnavailable(.credentialsDirectory, reason: reason)
    }
}
