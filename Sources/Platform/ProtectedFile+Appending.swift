// SPDX-License-Identifier: Apache-2.0

import Glibc

extension ProtectedFile {
    /// In bytes.
    package borrowing func size() throws(PlatformError) -> Int {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        return Int(facts.st_size)
    }

    /// Writes all bytes behind the first `size` ones. On a failure the file is cut back to `size`, as far as that is
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

    /// Cuts off what is behind the first `size` bytes.
    package borrowing func truncate(to size: Int) throws(PlatformError) {
        guard ftruncate(descriptor, size) == 0 else {
            throw .system(call: "ftruncate", subject: path, errno: errno)
        }
    }

    /// As `synchronize`, without the times of the file.
    package borrowing func synchronizeData() throws(PlatformError) {
        guard fdatasync(descriptor) == 0 else { throw .system(call: "fdatasync", subject: path, errno: errno) }
    }

    /// Takes the lock of `tryLock`, asking again every few milliseconds. Blocks the thread.
    ///
    /// - Throws: `PlatformError.system` with `EWOULDBLOCK` when another open file keeps it for longer than `patience`.
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
