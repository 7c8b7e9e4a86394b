// SPDX-License-Identifier: Apache-2.0

import Locks
import Platform

@testable import Credentials

/// The secret derived from one passphrase and one salt, computed once for thousands of vaults.
final class ScryptCache: Sendable {
    static let passphrase = Array("Größe – one for all".utf8)
    static let salt = [UInt8](repeating: 0x5C, count: 32)

    private let derived = Lock<[UInt8]?>(nil)

    func secret() throws -> [UInt8] {
        try derived.withLock { derived in
            if let derived { return derived }
            let arena = try SecretArena(byteCount: 4096)
            let passphrase = try Secret(copying: Self.passphrase, in: arena)
            let key = try KeyDerivation.scrypt(passphrase, salt: Self.salt, cost: .minimum, in: arena)
            let bytes = key.withBytes { Array($0) }
            derived = bytes
            return bytes
        }
    }
}
