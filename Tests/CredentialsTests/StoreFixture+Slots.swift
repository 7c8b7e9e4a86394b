// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

@testable import Credentials

extension StoreFixture {
    /// - Parameter keyFile: whether keys can be stored in files.
    init(keyFile: Bool) throws {
        try self.init()
        if keyFile { options.keyProviders = [KeyFile(directory: temporary.path(of: "state"))] }
    }

    func shared(_ text: String) throws -> SharedSecret { SharedSecret(try secret(text)) }

    func passphrase(_ text: String) throws -> UnlockInput { .passphrase(try shared(text)) }

    /// The text of the code whose 20 bytes all are `index`.
    func recoveryCode(_ index: Int) throws -> SharedSecret {
        let code = try Secret(copying: [UInt8](repeating: UInt8(index), count: RecoveryCode.byteCount), in: arena)
        return SharedSecret(try RecoveryCode.text(of: code, in: arena))
    }

    /// The slots of the file on disk.
    func slots() throws -> [KeySlot] { try file().header.slots }

    func file() throws -> VaultFile {
        let directory = try ProtectedDirectory(temporary.path(of: "data"))
        let bytes = try AtomicFile.read("vault.rcv", in: directory, maximumBytes: VaultLimits.fileBytes)
        return try VaultFile(parsing: bytes ?? [])
    }
}
