// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Access to complete files for tests. A missing file is empty.
package enum TextFile {
    package static func bytes(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Writes to an existing file, such as one of the kernel, in one call.
    ///
    /// - Returns: false if it accepts fewer bytes.
    package static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
    }

    package static func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }
}
