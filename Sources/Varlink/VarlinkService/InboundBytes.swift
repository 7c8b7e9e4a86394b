// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore

/// The bytes that were read from a connection and not used yet, in one buffer.
///
/// A secret may follow the request for an upgrade in the same read. So every byte is treated as a secret: it is wiped
/// in NIO's buffer after it was copied, and in this buffer after it was used or moved.
struct InboundBytes {
    private var memory: SecretBytes?
    private var start = 0
    private var end = 0
    /// There is no NUL before this offset.
    private var scanned = 0

    private static let smallestCapacity = 1024
    /// A larger buffer is released as soon as it is empty.
    private static let largestIdleCapacity = 4096

    var count: Int { end - start }

    /// Moves the readable bytes of `buffer` to this buffer.
    mutating func append(wiping buffer: inout ByteBuffer) {
        let length = buffer.readableBytes
        let memory = makeRoom(for: length)
        buffer.withVeryUnsafeBytes { storage in
            guard length > 0, let source = storage.baseAddress.map({ $0 + buffer.readerIndex }) else { return }
            memcpy(memory.base + end, source, length)
            // The buffer is shared with NIO's allocator, but these bytes have no other reader.
            explicit_bzero(UnsafeMutableRawPointer(mutating: source), length)
        }
        buffer.moveReaderIndex(forwardBy: length)
        end += length
    }

    /// The length of the first frame without its NUL; nil if the NUL has not arrived.
    mutating func frameLength() -> Int? {
        guard let memory, scanned < end else { return nil }
        guard let found = memchr(memory.base + scanned, 0, end - scanned) else {
            scanned = end
            return nil
        }
        scanned = UnsafeMutableRawPointer(found) - memory.base
        return scanned - start
    }

    /// The length prefix of a secret; nil if its four bytes have not arrived.
    var secretLength: Int? {
        guard count >= 4 else { return nil }
        return withPrefix(4) { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    }

    /// Passes the first `count` bytes to `body`. The pointer is valid during the call only.
    func withPrefix<T>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T {
        precondition(count <= self.count)
        return body(UnsafeRawBufferPointer(start: memory.map { UnsafeRawPointer($0.base + start) }, count: count))
    }

    mutating func consume(_ count: Int) {
        precondition(count <= self.count)
        guard let memory else { return }
        memory.wipe(start..<start + count)
        start += count
        scanned = max(scanned, start)
        guard start == end else { return }
        if memory.capacity > Self.largestIdleCapacity { self.memory = nil }
        start = 0
        end = 0
        scanned = 0
    }

    /// Removes the first `count` bytes, and returns them in memory that is wiped when the last reference is released.
    mutating func take(_ count: Int) -> SecretBytes {
        let taken = SecretBytes(capacity: count)
        withPrefix(count) { prefix in
            if let source = prefix.baseAddress { memcpy(taken.base, source, count) }
        }
        consume(count)
        return taken
    }

    private mutating func makeRoom(for length: Int) -> SecretBytes {
        if let memory, memory.capacity - end >= length { return memory }
        let needed = max(count + length, Self.smallestCapacity)
        let larger = SecretBytes(capacity: needed > Self.smallestCapacity ? needed * 2 : needed)
        if let memory { memcpy(larger.base, memory.base + start, count) }
        scanned -= start
        end -= start
        start = 0
        memory = larger
        return larger
    }
}

/// Memory that is always wiped before it is freed.
///
/// `@unchecked Sendable`: only `InboundBytes` writes to it, and it drops its reference when it passes the object on.
final class SecretBytes: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
        base = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit {
        wipe(0..<capacity)
        base.deallocate()
    }

    func wipe(_ range: Range<Int>) {
        explicit_bzero(base + range.lowerBound, range.count)
    }
}
