// SPDX-License-Identifier: Apache-2.0

import Glibc
import Remoting

/// A file with one line for each call, for tests that count calls.
final class RequestLog: Sendable {
    private let descriptor: Int32

    /// Opens the file for appending, and creates it if necessary.
    init(path: String) throws(SampleServerError) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", path: path, errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Names come from the client: every character that is not printable ASCII becomes `?`. If the disk is full,
    /// lines are lost and calls still succeed.
    func add(_ call: ServerCall) {
        let line = "\(call.service).\(call.method)".unicodeScalars.map {
            (0x21...0x7E).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?")
        }
        _ = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
