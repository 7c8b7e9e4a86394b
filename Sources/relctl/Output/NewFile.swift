// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A file that was not there before.
struct NewFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: `PlatformError`, also where there is something already, a link included.
    init(_ path: String, mode: mode_t) throws(PlatformError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode)
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(PlatformError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(call: "write", subject: path, errno: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Takes back what was made and not finished.
    func remove() {
        unlink(path)
    }
}
