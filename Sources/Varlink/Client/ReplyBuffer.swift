// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Splits the received bytes into frames.
struct ReplyBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    private var end = 0
    /// There is no NUL before this offset.
    private var scanned = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The next frame without its NUL; nil if more bytes must be read.
    mutating func nextFrame() throws(VarlinkClientError) -> ArraySlice<UInt8>? {
        let found = bytes.withUnsafeBytes { storage -> Int? in
            guard let base = storage.baseAddress, scanned < end else { return nil }
            return memchr(base + scanned, 0, end - scanned).map { UnsafeRawPointer($0) - base }
        }
        guard let found else {
            scanned = end
            guard end - start <= limit else { throw .tooLong(limit: limit) }
            return nil
        }
        guard found - start <= limit else { throw .tooLong(limit: limit) }
        defer {
            start = found + 1
            scanned = start
        }
        return bytes[start..<found]
    }

    /// Makes space in the buffer and lets `body` fill it. `body` returns the number of bytes that it wrote.
    mutating func fill(
        _ body: (UnsafeMutableRawBufferPointer) throws(VarlinkClientError) -> Int
    ) throws(VarlinkClientError) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            end -= start
            scanned -= start
            start = 0
        }
        if bytes.count - end < 16_384 {
            bytes.append(contentsOf: repeatElement(0, count: max(65_536, bytes.count) - (bytes.count - end)))
        }
        let outcome = bytes.withUnsafeMutableBytes { storage in
            Result { () throws(VarlinkClientError) in
                try body(UnsafeMutableRawBufferPointer(rebasing: storage[end...]))
            }
        }
        end += try outcome.get()
    }
}
