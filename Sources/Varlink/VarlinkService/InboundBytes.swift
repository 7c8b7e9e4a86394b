// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore

/// What has been read from a connection and not used yet, in one place.
///
/// A secret may follow an upgrade's request in the same read, so no byte is told apart: each is wiped where NIO left it
/// as soon as it has been copied here, and here as soon as it is used or moved.
struct InboundBytes {
    private var memory: SecretBytes?
    private var start = 0
    private var end = 0
    /// Bytes before this one hold no NUL.
    private var scanned = 0

    private static let smallestCapacity = 1024
    /// A larger buffer is given back as soon as it is empty.
    private static let largestIdleCapacity = 4096

    var count: Int { end - start }

    /// Moves what is readable in `buffer` here.
    mutating func append(wiping buffer: inout ByteBuffer) {
        let length = buffer.readableBytes
        let memory = makeRoom(for: length)
        buffer.withVeryUnsafeBytes { storage in
            guard length > 0, let source = storage.baseAddress.map({ $0 + buffer.readerIndex }) else { return }
            memcpy(memory.base + end, source, length)
            // In place although the buffer is shared with NIO's allocator: nobody else reads these bytes any more.
            explicit_bzero(UnsafeMutableRawPointer(mutating: source), length)
        }
        buffer.moveReaderIndex(forwardBy: length)
        end += length
    }

    /// Length of the first frame without its NUL, or nil when the NUL has not arrived.
    mutating func frameLength() -> Int? {
        guard let memory, scanned < end else { return nil }
        guard let found = memchr(memory.base + scanned, 0, end - scanned) else {
            scanned = end
            return nil
        }
        scanned = UnsafeMutableRawPointer(found) - memory.base
        return scanned - start
    }

    /// The length that a secret begins with; nil while its four bytes have not arrived.
    var secretLength: Int? {
        guard count >= 4 else { return nil }
        return withPrefix(4) { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    }

    /// The first `count` bytes, valid within `body`.
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

    /// Takes the first `count` bytes out, into memory that is wiped when the last reference goes.
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
/// `@unchecked Sendable`: only `InboundBytes` writes to it, and drops its reference when it passes it on.
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
