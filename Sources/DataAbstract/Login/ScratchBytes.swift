// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A byte buffer of fixed capacity that is overwritten when it is freed. It never grows, because growth leaves copies.
struct ScratchBytes: ~Copyable {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) {
        room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 1)
    }

    deinit {
        if let start = room.baseAddress { explicit_bzero(start, room.count) }
        room.deallocate()
    }

    mutating func append(_ byte: UInt8) {
        precondition(count < room.count, "a scratch buffer has room for the longest form")
        room[count] = byte
        count += 1
    }

    mutating func removeAll() { count = 0 }

    /// Calls `body` with the bytes between two positions; the pointer is valid during the call only.
    borrowing func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[range]))
    }

    /// Calls `body` with all bytes; the pointer is valid during the call only.
    borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withBytes(0..<count, body)
    }
}
