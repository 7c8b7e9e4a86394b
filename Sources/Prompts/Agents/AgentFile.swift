// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A file that agents see whole or not at all, and that goes with this value.
struct AgentFile: ~Copyable {
    private let path: String

    /// - Parameter suffix: is the name's, behind `ask.`.
    init(_ text: String, in directory: String, suffix: String) throws(PlatformError) {
        path = "\(directory)/ask.\(suffix)"
        // Agents look at names that begin with "ask." only.
        let draft = "\(directory)/tmp.\(suffix)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", subject: draft, errno: errno) }
        let bytes = Array(text.utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw .system(call: "write", subject: draft, errno: code)
        }
    }

    deinit {
        unlink(path)
    }
}
