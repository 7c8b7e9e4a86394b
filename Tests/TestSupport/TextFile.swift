// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Files as the tests look at them: whole, and empty where there are none.
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

    /// Writes into a file that is there, such as one of the kernel's, at once.
    ///
    /// - Returns: false if it takes less.
    package static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
    }

    package static func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }
}
