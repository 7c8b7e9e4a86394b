// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The anchor in a directory of its own, apart from the vault's.
struct AnchorFile: Sendable {
    static let name = "anchor"

    let directory: String

    /// - Returns: nil if there is none.
    func read() throws(PlatformError) -> [UInt8]? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(directory)
            // One byte more, so that a longer file shows as malformed.
            return try AtomicFile.read(Self.name, in: directory, maximumBytes: RollbackAnchor.byteCount + 1)
        } catch {
            if case .system("open", directory, ENOENT) = error { return nil }
            throw error
        }
    }

    func write(_ bytes: [UInt8]) throws(PlatformError) {
        try AtomicFile.write(bytes, to: Self.name, in: try ProtectedDirectory(directory, creating: true))
    }

    /// Removes what a crash in the midst of `write` left behind.
    func removeStaleFiles() throws(PlatformError) {
        let directory = try ProtectedDirectory(directory)
        for name in try directory.names() where name.hasPrefix(".\(Self.name).") && name.hasSuffix(".tmp") {
            try directory.remove(name)
        }
    }
}
