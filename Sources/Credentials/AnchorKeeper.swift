// SPDX-License-Identifier: Apache-2.0

/// A key provider that can store an anchor next to a vault's key, out of reach of an attacker who has only the
/// vault's disk.
///
/// Calls block for at most the provider's own timeout. Make them on the thread pool.
package protocol AnchorKeeper: KeyProvider {
    /// Replaces the anchor of a vault.
    ///
    /// - Parameters:
    ///   - bytes: the 104 bytes of the anchor. They are authenticated, not secret.
    ///   - storeID: the vault's store ID, 16 bytes.
    func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(CredentialError)

    /// Reads the anchor of a vault.
    ///
    /// - Returns: the bytes of the last `keepAnchor`, unchanged; nil if no anchor is stored for this vault.
    func anchor(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]?
}
