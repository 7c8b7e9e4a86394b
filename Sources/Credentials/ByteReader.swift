// SPDX-License-Identifier: Apache-2.0

/// Reads little-endian fields from untrusted bytes, and never past their end.
struct ByteReader {
    private var rest: UnsafeRawBufferPointer

    /// - Parameter bytes: must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    var count: Int { rest.count }
    var isAtEnd: Bool { rest.isEmpty }

    /// Whether the unread bytes are all zero, as padding must be.
    var isZero: Bool { rest.allSatisfy { $0 == 0 } }

    /// Reads the next `count` bytes without copying them.
    ///
    /// - Returns: nil if fewer than `count` bytes are left.
    mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        slice(count).map(Array.init)
    }

    /// Reads a byte count of the width of `Count`, at most `limit`, then that many bytes.
    mutating func counted<Count: FixedWidthInteger>(_: Count.Type, limit: Int) -> UnsafeRawBufferPointer? {
        guard let count = integer(Count.self), count <= limit else { return nil }
        return slice(Int(count))
    }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        slice(MemoryLayout<Value>.size).map { Value(littleEndian: $0.loadUnaligned(as: Value.self)) }
    }
}
