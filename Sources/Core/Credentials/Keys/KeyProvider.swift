// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// Stores the 32 bytes that open one key slot, outside the vault's file. A vault has at most one slot of each such
/// kind, and its store ID identifies the key.
///
/// Calls block for at most the provider's own timeout. Make them on the thread pool.
package protocol KeyProvider: Sendable {
    /// The kind of slot that the provider's keys open.
    var kind: KeyProviderKind { get }

    /// Checks whether the provider works here: writes a temporary key, reads it, compares and removes it. A read-only
    /// provider reads its key instead. The provider must not prompt, because there may be no user to answer.
    ///
    /// - Throws: `CredentialError.providerUnavailable` with the reason.
    func probe(in arena: SecretArena) throws(CredentialError)

    /// Makes the key for a new slot, and reads it back. If the provider already has a key for this vault, returns
    /// that.
    ///
    /// - Parameter storeID: the vault's store ID, 16 bytes.
    func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret

    /// Reads the key of a vault, without a prompt.
    ///
    /// - Throws: `CredentialError.providerUnavailable` with the reason, also if the provider has no key for this
    ///   vault.
    func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret

    /// Reads the key of a vault. Otherwise like `key(for:in:)`.
    ///
    /// - Parameter attended: whether a user waits for the result, so that the provider may prompt first.
    func key(for storeID: [UInt8], attended: Bool, in arena: SecretArena) throws(CredentialError) -> Secret

    /// Removes the key of a vault. It is not an error if there is none.
    func removeKey(for storeID: [UInt8]) throws(CredentialError)
}

extension KeyProvider {
    /// Calls `key(for:in:)`, for a provider that never prompts.
    package func key(
        for storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) -> Secret {
        try key(for: storeID, in: arena)
    }

    func unavailable(_ code: ProviderFault.Code, path: String? = nil) -> CredentialError {
        .providerUnavailable(kind, ProviderFault(code: code, path: path))
    }
}

extension KeyProviderKind {
    /// The order of preference in which `relctl vault init` tries the kinds; it proposes the first that works. A key
    /// file is never proposed.
    package static let proposals: [KeyProviderKind] = [
        .credentialsDirectory, .systemdCreds, .secretService, .passphrase,
    ]

    /// Whether the user types the secret, so that it works on any machine. The other kinds are stored outside the
    /// vault, with at most one slot of each.
    package var isTyped: Bool { self == .passphrase || self == .recoveryCode }

    /// Orders the kinds by the obstacle for a thief who has the disk, the weakest first.
    var rank: Int {
        switch self {
        case .keyFile: 0
        case .secretService: 1
        case .passphrase: 2
        case .credentialsDirectory: 3
        case .systemdCreds: 4
        case .recoveryCode: 5
        }
    }
}

/// The input for opening a vault or making a key slot.
package enum UnlockInput: Sendable {
    /// 1 to 1024 bytes of UTF-8, as typed.
    case passphrase(SharedSecret)
    /// The text of a recovery code, as typed (`RecoveryCode`).
    case recoveryCode(SharedSecret)
    /// A key that is stored outside the vault: any kind except the two above.
    case provider(KeyProviderKind)

    /// The kind of slot that this input is for.
    package var kind: KeyProviderKind {
        switch self {
        case .passphrase: .passphrase
        case .recoveryCode: .recoveryCode
        case .provider(let kind): kind
        }
    }
}

/// Whether a vault or a key slot could be made with a key provider, here and now.
package struct ProviderCheck: Sendable, Hashable {
    /// The kind of provider.
    package let kind: KeyProviderKind
    /// The reason why not; nil if the probe of the provider succeeded.
    package let obstacle: ProviderFault?

    /// The provider to propose: the first in the order of preference that works.
    package static func best(of checks: [ProviderCheck]) -> KeyProviderKind? {
        KeyProviderKind.proposals.first { kind in checks.contains { $0.kind == kind && $0.obstacle == nil } }
    }
}

/// Parses a provider's key from a file: 32 bytes, or 64 hexadecimal digits and a line feed.
enum ProviderKey {
    static let byteCount = 32
    static let hexByteCount = 65

    /// Parses a key.
    ///
    /// - Parameter text: the content of the file.
    /// - Returns: nil if it has neither form.
    static func parse(_ text: consuming Secret, in arena: SecretArena) throws(CredentialError) -> Secret? {
        if text.count == byteCount { return text }
        return try decodeHex(text, in: arena)
    }

    private static func decodeHex(_ text: borrowing Secret, in arena: SecretArena) throws(CredentialError) -> Secret? {
        let isHex = text.withBytes { bytes in
            bytes.count == hexByteCount && bytes.last == UInt8(ascii: "\n")
                && bytes.dropLast().allSatisfy { HexText.value(of: $0) != nil }
        }
        guard isHex else { return nil }
        return try translating { () throws(PlatformError) in
            try Secret(capacity: byteCount, in: arena) { buffer in
                text.withBytes { bytes in
                    for index in 0..<byteCount {
                        let high = HexText.value(of: bytes[2 * index]) ?? 0
                        buffer[index] = high << 4 | (HexText.value(of: bytes[2 * index + 1]) ?? 0)
                    }
                }
                return byteCount
            }
        }
    }
}

/// A location that can store an anchor: the anchor file, or a key provider, which stores it next to a vault's key, out
/// of reach of an attacker who has only the vault's disk.
///
/// Calls block for at most the provider's own timeout. Make them on the thread pool.
package protocol AnchorKeeper: Sendable {
    /// The location.
    var place: AnchorPlace { get }

    /// Replaces the anchor of a vault.
    ///
    /// - Parameters:
    ///   - bytes: the 104 bytes of the anchor. They are authenticated, not secret.
    ///   - storeID: the vault's store ID, 16 bytes.
    func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws

    /// Reads the anchor of a vault.
    ///
    /// - Returns: the bytes of the last `keepAnchor`, unchanged; nil if no anchor is stored for this vault.
    func anchor(for storeID: [UInt8]) throws -> [UInt8]?
}

extension AnchorKeeper where Self: KeyProvider {
    /// The provider's location.
    package var place: AnchorPlace { .keyProvider(kind) }
}
