// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

@testable import Credentials

/// Vaults for the independent reader, which reads them all in one process.
struct ReaderBatch {
    private let temporary = TemporaryDirectory()
    private var manifest = ""
    private(set) var count = 0

    mutating func add(_ bytes: [UInt8], kind: KeyProviderKind, secret: [UInt8]) {
        temporary.write(bytes, to: "\(count)")
        manifest += "\(temporary.path(of: "\(count)")) \(kind.rawValue) \(HexText.encode(secret))\n"
        count += 1
    }

    /// The results, one for each vault, in order.
    func outcomes(of reader: IndependentReader) async throws -> [String] {
        temporary.write(Array(manifest.utf8), to: "manifest")
        return try await reader.outcomes(manifest: temporary.path(of: "manifest"))
    }
}
