// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads and writes open descriptors completely, even if signals interrupt the calls.
package enum OpenFile {
    /// Reads to the end of the file.
    ///
    /// - Parameter path: the path for error messages.
    /// - Throws: `PlatformError.tooLarge` above `maximumBytes`; `.system`.
    package static func readAll(
        _ descriptor: Int32,
        path: String,
        maximumBytes: Int
    ) throws(PlatformError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(call: "read", subject: path, errno: errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else { throw .tooLarge(subject: path, maximumBytes: maximumBytes) }
        }
    }

    /// Reads what comes next, at most 64 KiB.
    ///
    /// - Parameter path: the path for error messages.
    /// - Returns: no bytes at the end of the file.
    /// - Throws: `PlatformError.system`.
    package static func readPart(_ descriptor: Int32, path: String) throws(PlatformError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, filled in
            var count = -1
            repeat { count = read(descriptor, space.baseAddress, space.count) } while count < 0 && errno == EINTR
            code = count < 0 ? errno : 0
            filled = max(0, count)
        }
        guard code == 0 else { throw .system(call: "read", subject: path, errno: code) }
        return bytes
    }

    /// Writes all bytes.
    ///
    /// - Returns: 0, or the `errno` of the call that failed.
    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
