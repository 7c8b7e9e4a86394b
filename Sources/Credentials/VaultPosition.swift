// SPDX-License-Identifier: Apache-2.0

/// Identifies one save of one vault.
struct VaultPosition: Sendable, Hashable {
    /// 16 bytes.
    let storeID: [UInt8]
    let generation: UInt64
    /// SHA-256 of the whole file.
    let hash: [UInt8]
    /// SHA-256 of the file before this one; zeros in generation 1.
    let previousHash: [UInt8]

    init(storeID: [UInt8], generation: UInt64, hash: [UInt8], previousHash: [UInt8]) {
        self.storeID = storeID
        self.generation = generation
        self.hash = hash
        self.previousHash = previousHash
    }

    init(_ file: VaultFile) {
        self.init(file.header, hash: file.hash)
    }

    init(_ vault: OpenVault) {
        self.init(vault.header, hash: vault.hash)
    }

    private init(_ header: VaultHeader, hash: [UInt8]) {
        self.init(
            storeID: header.storeID,
            generation: header.generation,
            hash: hash,
            previousHash: header.previousHash
        )
    }
}
