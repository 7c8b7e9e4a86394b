// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport

@testable import Credentials

/// The vaults of formats 1.0 and 1.1 in `Vectors`, and their content, which must never change.
enum GoldenVault {
    static let passphrase = "correct horse battery staple"
    static let key = [UInt8](0..<32)
    static let fileName = "vault-1.0.rcv"
    static let contentName = "vault-1.0.json"
    static let minor1FileName = "vault-1.1.rcv"
    static let minor1ContentName = "vault-1.1.json"

    static func path(of name: String) throws -> String {
        let file = #filePath
        guard let slash = file.lastIndex(of: "/") else { throw Missing() }
        return file[..<slash] + "/Vectors/" + name
    }

    static func bytes(of name: String) throws -> [UInt8] {
        let bytes = TextFile.bytes(of: try path(of: name))
        guard !bytes.isEmpty else { throw Missing() }
        return bytes
    }

    /// Returns a save salt again, in order to seal the same content a second time.
    struct Replay: RandomSource {
        let salt: [UInt8]

        func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) {
            precondition(buffer.count == salt.count, "sealing a file draws its save salt and nothing else")
            buffer.copyBytes(from: salt)
        }
    }

    struct Missing: Error {}
}
