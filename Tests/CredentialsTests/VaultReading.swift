// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Credentials

/// The reader of this module, with the output format of Tests/Tools/read_vault.py: `ok` and the digest of the content,
/// or only the fault.
enum VaultReading {
    static func outcome(
        of bytes: [UInt8],
        kind: KeyProviderKind,
        secret: [UInt8],
        in arena: SecretArena
    ) throws -> String {
        let secret = SharedSecret(try Secret(copying: secret, in: arena))
        do {
            let vault = try OpenVault.open(
                try VaultFile(parsing: bytes),
                kind: kind,
                secret: secret,
                in: arena
            )
            return "ok " + (try ContentListing(vault).digest())
        } catch let error as CredentialError {
            guard let name = error.faultName else { throw error }
            return name
        }
    }
}
