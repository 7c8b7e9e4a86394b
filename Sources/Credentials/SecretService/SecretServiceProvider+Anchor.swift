// SPDX-License-Identifier: Apache-2.0

import KeyringWire
import Platform

/// The anchor is a separate item, next to the key. The user is never asked for the keyring's password because of it:
/// if the keyring is locked, these calls fail.
extension SecretServiceProvider: AnchorKeeper {
    package func keepAnchor(_ bytes: [UInt8], for storeID: [UInt8]) throws(CredentialError) {
        let arena = try Self.arena(for: bytes.count)
        let anchor = try translated { () throws(PlatformError) in try Secret(copying: bytes, in: arena) }
        try store(anchor, as: .anchor, of: storeID, attended: false, in: arena)
    }

    package func anchor(for storeID: [UInt8]) throws(CredentialError) -> [UInt8]? {
        let arena = try Self.arena(for: RollbackAnchor.byteCount)
        guard let anchor = try find(.anchor, of: storeID, attended: false, in: arena) else { return nil }
        return anchor.withBytes { Array($0) }
    }

    private static func arena(for byteCount: Int) throws(CredentialError) -> SecretArena {
        try translated { () throws(PlatformError) in try SecretArena(byteCount: byteCount) }
    }
}
