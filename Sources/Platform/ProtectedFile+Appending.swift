// SPDX-License-Identifier: Apache-2.0

import Glibc

extension ProtectedFile {
    /// The size in bytes.
    package borrowing func size() throws(PlatformError) -> Int {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        return Int(facts.st_size)
    }

    /// Writes all bytes after the first `size` ones. On failure the file is truncated to `size`, as far as that is
    /// possible.
    package borrowing func append(_ bytes: [UInt8], at size: Int) throws(PlatformError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[written...])
                return pwrite(descriptor, rest.baseAddress, rest.count, size + written)
            }
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                ftruncate(descriptor, size)
                throw .system(call: "write", subject: path, errno: code)
            }
            written += count
        }
    }

    /// Removes all bytes after the first `size` ones.
    package borrowing func truncate(to size: Int) throws(PlatformError) {
        guard ftruncate(descriptor, size) == 0 else {
            throw .system(call: "ftruncate", subject: path, errno: errno)
        }
    }

    /// Like `synchronize`, without the file's timestamps.
    package borrowing func synchronizeData() throws(PlatformError) {
        guard fdatasync(descriptor) == 0 else { throw .system(call: "fdatasync", subject: path, errno: errno) }
    }

    /// Acquires the lock of `tryLock`, retrying every 2 milliseconds. Blocks the thread.
    ///
    /// - Throws: `PlatformError.system` with `EWOULDBLOCK` if another open file holds it for longer than `patience`.
    package borrowing func awaitLock(atMost patience: Duration) throws(PlatformError) {
        let started = ContinuousClock.now
        while try !tryLock() {
            guard ContinuousClock.now - started < patience else {
                throw .system(call: "lock", subject: path, errno: EWOULDBLOCK)
            }
            poll(nil, 0, 2)
        }
    }
}
