// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whole-file replacement of plain state files: after a crash there is the old content or the new, never neither.
package enum AtomicFile {
    /// Writes a temporary file in the same directory, makes it durable and renames it to `name`.
    package static func write(_ bytes: [UInt8], to name: String, in directory: ProtectedDirectory) throws(PlatformError)
    {
        let temporary = ".\(name).\(HexText.encode(try SystemRandom().bytes(8))).tmp"
        do throws(PlatformError) {
            let file = try ProtectedFile.create(temporary, in: directory)
            try file.writeAll(bytes)
            try file.synchronize()
            guard renameat(directory.descriptor, temporary, directory.descriptor, name) == 0 else {
                throw .system(call: "rename", subject: directory.path(of: name), errno: errno)
            }
        } catch {
            unlinkat(directory.descriptor, temporary, 0)
            throw error.about(directory.path(of: name), insteadOf: directory.path(of: temporary))
        }
        try directory.synchronize()
    }

    /// - Returns: nil if there is no such file.
    /// - Throws: the errors of `ProtectedFile.open`.
    package static func read(
        _ name: String,
        in directory: ProtectedDirectory,
        maximumBytes: Int
    ) throws(PlatformError) -> [UInt8]? {
        guard let file = try ProtectedFile.open(name, in: directory, maximumBytes: maximumBytes) else { return nil }
        return try file.readAll(maximumBytes: maximumBytes)
    }
}
