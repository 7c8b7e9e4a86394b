// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file or standard input, read whole up to a limit.
enum InputFile {
    /// - Throws: `WireFailure`.
    static func read(_ path: String, limit: Int) throws(WireFailure) -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .file(path, errno: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(path, errno: errno) }
            guard count > 0 else { return bytes }
            bytes += block[..<count]
            guard bytes.count <= limit else { throw .tooLong(path, limit: limit) }
        }
    }
}
