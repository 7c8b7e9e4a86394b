// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Buffered output to a file descriptor, or into memory. Writing blocks the thread.
package final class OutputSink {
    private var buffer: TextBuffer

    /// Creates an output to an open descriptor, which stays open.
    package init(_ descriptor: Int32) {
        buffer = TextBuffer(descriptor)
    }

    /// Creates an output into memory.
    package init() {
        buffer = TextBuffer(nil)
    }

    deinit { buffer.deallocate() }

    /// Appends text.
    ///
    /// - Throws: `outputClosed`, `output`, or the error of `body`.
    func write(_ body: (inout TextBuffer) throws -> Void) throws {
        try body(&buffer)
        try check()
    }

    /// Writes the buffered bytes to the descriptor.
    ///
    /// - Throws: `outputClosed`, `output`.
    package func flush() throws {
        buffer.drain()
        try check()
    }

    /// The capacity above which memory is released when its bytes were taken.
    private static let keptBytes = 2 << 20

    /// The number of bytes in memory that were taken already.
    private var taken = 0

    /// Returns the first bytes in memory and removes them.
    package func takeBytes(upTo maximum: Int = .max) -> [UInt8] {
        let bytes = buffer.withBytes { Array($0[taken...].prefix(maximum)) }
        taken += bytes.count
        guard taken == buffer.count else { return bytes }
        taken = 0
        if buffer.capacity > Self.keptBytes {
            buffer.deallocate()
            buffer = TextBuffer(nil)
        } else {
            buffer.removeAll()
        }
        return bytes
    }

    private func check() throws(FormatError) {
        guard buffer.failure != 0 else { return }
        throw buffer.failure == EPIPE ? .outputClosed : .output(errno: buffer.failure)
    }
}

/// Text that is formatted into memory. With a descriptor, the memory is written to it when it is full.
///
/// After an error all further text is discarded, so that formatting code checks for one only now and then.
struct TextBuffer {
    private static let largestPiece = 16 << 10

    private let descriptor: Int32?
    private var start: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    /// The number of bytes in memory.
    private(set) var count = 0
    /// The `errno` of the write that failed; 0 if none did.
    private(set) var failure: Int32 = 0

    /// - Parameter descriptor: nil for text that stays in memory. The owner calls `deallocate`.
    init(_ descriptor: Int32?, capacity: Int = 128 << 10) {
        self.descriptor = descriptor
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    func deallocate() { start.deallocate() }

    mutating func removeAll() { count = 0 }

    /// Removes zeros after the decimal point, and the point if no digit follows. `-0` becomes `0`.
    mutating func dropTrailingZeros() {
        let digits = UnsafeMutableBufferPointer(start: start, count: count)
        if digits.contains(UInt8(ascii: ".")), !digits.contains(UInt8(ascii: "e")) {
            while count > 0, start[count - 1] == UInt8(ascii: "0") { count -= 1 }
            if count > 0, start[count - 1] == UInt8(ascii: ".") { count -= 1 }
        }
        guard count == 2, start[0] == UInt8(ascii: "-"), start[1] == UInt8(ascii: "0") else { return }
        start[0] = UInt8(ascii: "0")
        count = 1
    }

    /// Converts ASCII letters.
    mutating func lowercase() {
        for index in 0..<count where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(start[index]) {
            start[index] += 0x20
        }
    }

    /// Lends the bytes in memory.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Ensures that so many bytes can be appended.
    @inline(__always)
    mutating func reserve(_ count: Int) {
        if capacity - self.count < count { makeSpace(count) }
    }

    @inline(never)
    private mutating func makeSpace(_ count: Int) {
        drain()
        guard capacity - self.count < count else { return }
        let larger = max(2 * capacity, self.count + count)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.update(from: start, count: self.count)
        start.deallocate()
        (start, capacity) = (memory, larger)
    }

    /// Writes the bytes to the descriptor, if there is one.
    mutating func drain() {
        guard let descriptor else { return }
        var written = 0
        while written < count, failure == 0 {
            let result = Glibc.write(descriptor, start + written, count - written)
            if result >= 0 {
                written += result
            } else if errno == EAGAIN {
                // Another process may have made the shared open file non-blocking.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                failure = errno
            }
        }
        count = 0
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    /// Sets bits of the last byte.
    @inline(__always)
    mutating func setLast(_ bits: UInt8) { start[count - 1] |= bits }

    /// Appends bytes whose space was reserved.
    ///
    /// - Parameter fill: writes them and returns their number.
    @inline(__always)
    mutating func appendReserved(_ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        count += fill(start + count)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.largestPiece))
            reserve(piece.count)
            if let source = piece.baseAddress {
                UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: piece.count)
            }
            count += piece.count
            rest = rest.dropFirst(piece.count)
        }
    }

    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    mutating func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
}
