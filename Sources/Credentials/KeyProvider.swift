// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Keeps the 32 bytes that open one key slot, outside the vault's file. A vault has at most one slot of each such kind,
/// and its store id names the key.
///
/// Calls block, within a bound of the provider's own, and come from the thread pool.
package protocol KeyProvider: Sendable {
    var kind: KeyProviderKind { get }

    /// Finds out whether the provider works here: writes a key of no use, reads it, compares and removes it. A provider
    /// that cannot be written to reads the key that it has. Nobody is asked anything: whoever wants to know may have no
    /// person before them.
    ///
    /// - Throws: `CredentialError.providerUnavailable` with the reason.
    func probe(in arena: SecretArena) throws(CredentialError)

    /// The key for a new slot, made and read back; the one that is there already where there is one.
    ///
    /// - Parameter storeID: 16 bytes, those of the vault.
    func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret

    /// - Throws: `CredentialError.providerUnavailable` with the reason: also if it has no key for this vault.
    func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret

    /// As `key(for:in:)`.
    ///
    /// - Parameter attended: whether a person waits for the answer, whom the provider may ask something first.
    func key(for storeID: [UInt8], attended: Bool, in arena: SecretArena) throws(CredentialError) -> Secret

    /// Forgets the key of a vault; not an error if there is none.
    func removeKey(for storeID: [UInt8]) throws(CredentialError)
}

extension KeyProvider {
    package func key(
        for storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) -> Secret {
        try key(for: storeID, in: arena)
    }
}
