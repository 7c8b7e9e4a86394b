// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// A password, key or token in a `SecretArena`, wiped when its owner drops it.
///
/// It cannot be copied, printed, encoded or made from a `String`. Its bytes are accessible only inside `withBytes`.
package struct Secret: ~Copyable, Sendable {
    private let arena: SecretArena
    private let offset: Int
    private let capacity: Int
    /// The number of bytes in use. It is not secret within the program, but it is never shown to the user.
    package private(set) var count: Int

    /// - Parameters:
    ///   - capacity: the size of the buffer. All of it is zero when `fill` gets it.
    ///   - fill: writes the secret and returns the number of bytes it used.
    /// - Throws: `PlatformError.arenaExhausted`, or the error of `fill`.
    package init(
        capacity: Int,
        in arena: SecretArena,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int
    ) throws(PlatformError) {
        let offset = try arena.reserve(capacity)
        do {
            let count = try fill(arena.bytes(offset: offset, byteCount: capacity))
            precondition(count >= 0 && count <= capacity, "a secret does not leave its room")
            self.arena = arena
            self.offset = offset
            self.capacity = capacity
            self.count = count
        } catch {
            arena.release(offset: offset, byteCount: capacity)
            throw error
        }
    }

    /// Copies bytes that the caller has in ordinary memory, and keeps there.
    package init(copying bytes: some Collection<UInt8>, in arena: SecretArena) throws(PlatformError) {
        try self.init(capacity: bytes.count, in: arena) { room in
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Creates a secret of random bytes.
    package init(
        randomBytes count: Int,
        in arena: SecretArena,
        from random: some RandomSource = SystemRandom()
    ) throws(PlatformError) {
        try self.init(capacity: count, in: arena) { room throws(PlatformError) in
            try random.fill(room)
            return count
        }
    }

    deinit {
        arena.release(offset: offset, byteCount: capacity)
    }

    /// Calls `body` with the bytes. The pointer is valid during the call only.
    package borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(arena.bytes(offset: offset, byteCount: count)))
    }

    /// Calls `body` with the bytes. The pointer is valid during the call only.
    package mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(arena.bytes(offset: offset, byteCount: count))
    }

    /// Keeps the first `count` bytes and wipes the rest.
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        let rest = arena.bytes(offset: offset + count, byteCount: capacity - count)
        OPENSSL_cleanse(rest.baseAddress, rest.count)
        self.count = count
    }

    /// Returns a copy with its own owner.
    package borrowing func duplicate(in arena: SecretArena) throws(PlatformError) -> Secret {
        try Secret(capacity: count, in: arena) { room in
            withBytes { room.copyMemory(from: $0) }
            return count
        }
    }

    /// Compares in a time that depends on the lengths only.
    package borrowing func isEqual(to other: borrowing Secret) -> Bool {
        guard count == other.count else { return false }
        return withBytes { mine in
            other.withBytes { theirs in CRYPTO_memcmp(mine.baseAddress, theirs.baseAddress, mine.count) == 0 }
        }
    }
}
