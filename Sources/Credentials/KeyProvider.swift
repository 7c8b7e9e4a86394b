// SPDX-License-Identifier: Apache-2.0

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
}
