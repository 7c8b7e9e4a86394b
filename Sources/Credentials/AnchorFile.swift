// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The anchor file, in a directory separate from the vault's.
struct AnchorFile: Sendable {
    static let name = "anchor"

    let directory: String

    /// Reads the anchor file.
    ///
    /// - Returns: nil if there is no such file.
    func read() throws(PlatformError) -> [UInt8]? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(directory)
            // One byte more than an anchor has, so that a longer file is reported as malformed.
            return try AtomicFile.read(Self.name, in: directory, maximumBytes: RollbackAnchor.byteCount + 1)
        } catch {
            if case .system("open", directory, ENOENT) = error { return nil }
            throw error
        }
    }

    func write(_ bytes: [UInt8]) throws(PlatformError) {
        try AtomicFile.write(bytes, to: Self.name, in: try ProtectedDirectory(directory, creating: true))
    }

    /// Removes temporary files that a crash during `write` left behind.
    func removeStaleFiles() throws(PlatformError) {
        let directory = try ProtectedDirectory(directory)
        for name in try directory.names() where name.hasPrefix(".\(Self.name).") && name.hasSuffix(".tmp") {
            try directory.remove(name)
        }
    }
}
