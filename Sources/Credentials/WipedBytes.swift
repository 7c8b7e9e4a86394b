// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// Calls `body` with a zeroed buffer in ordinary memory, for content that is too large for the arena. Wipes the
/// buffer afterwards.
func withWipedBytes<R: ~Copyable>(
    _ count: Int,
    _ body: (UnsafeMutableRawBufferPointer) throws(CredentialError) -> R
) throws(CredentialError) -> R {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    room.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
        OPENSSL_cleanse(room.baseAddress, room.count)
        room.deallocate()
    }
    return try body(room)
}
