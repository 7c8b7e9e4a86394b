// SPDX-License-Identifier: Apache-2.0

extension VaultDisk {
    /// Opens a vault from another place. It must not need more memory and time than a vault of this machine, because
    /// a hostile file could otherwise take a gigabyte for each of its slots.
    ///
    /// - Throws: `CredentialError.tooCostly` before any derivation; any error of `unlock`.
    func openCopy(_ file: VaultFile, _ offer: KeyOffer) throws(CredentialError) -> OpenVault {
        let costs = file.header.slots.filter { $0.kind == offer.kind }.compactMap(\.cost)
        if let worst = costs.map(\.log2N).max(), worst > options.exportCost.log2N {
            let most = max(options.exportCost.log2N, try cost(try schedule()).log2N)
            guard worst <= most else { throw .tooCostly(log2N: worst, limit: most) }
        }
        return try unlock(file, offer)
    }
}
