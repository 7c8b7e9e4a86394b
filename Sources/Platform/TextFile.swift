// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads small text files that the kernel generates, such as those in `/proc`.
package enum TextFile {
    /// - Returns: nil if the file cannot be read or is longer than `maximumBytes`.
    package static func read(_ path: String, maximumBytes: Int) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else { return nil }
        }
    }
}
