// SPDX-License-Identifier: Apache-2.0

/// A key provider that can hold an anchor beside the key of a vault: out of reach of who only has the vault's disk.
///
/// Calls block, within a bound of the provider's own, and come from the thread pool.
package protocol AnchorKeeper: KeyProvider {
    /// Replaces the anchor of a vault.
    ///
    /// - Parameters:
    ///   - bytes: 104; authenticated, not secret.
    ///   - storeID: 16 bytes, those of the vault.
    func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(CredentialError)

    /// - Returns: what was kept last, as it was; nil if nothing is kept for this vault.
    func anchor(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]?
}
