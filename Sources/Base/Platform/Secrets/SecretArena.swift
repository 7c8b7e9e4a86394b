// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Locks

/// Memory for secrets that the kernel keeps out of swap, core dumps and child processes.
///
/// Its blocks are lent to `Secret` values, and wiped when they are returned. The mapping is removed with the last of
/// them. Blocks are multiples of 64 bytes, so that no two secrets share a cache line.
package final class SecretArena: Sendable {
    /// How the memory is protected, best first.
    package enum Protection: String, Sendable {
        /// memfd_secret(2): not even mapped in the kernel. While it exists, the machine cannot hibernate.
        case memfdSecret = "memfd_secret"
        /// mlock(2): never swapped, but written to a hibernation image.
        case mlock
        /// Neither was allowed, so secrets may reach the swap space.
        case swappable
    }

    /// The protection to try first.
    package enum Preference: String, Sendable, Hashable, CaseIterable {
        case memfdSecret = "memfd_secret"
        case mlock
    }

    /// The usual size of an arena.
    package static let defaultByteCount = 256 * 1024
    static let blockSize = 64

    /// The protection that the kernel granted.
    package let protection: Protection
    /// The protections that were requested and refused; nil if none was.
    package let shortfall: SecretMemoryShortfall?
    /// The size of the arena, a multiple of the page size.
    package let byteCount: Int

    // The pointer never changes; `blocks` records which blocks belong to a Secret.
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer
    private let blocks: Lock<[Bool]>

    /// - Parameter byteCount: rounded up to whole pages.
    /// - Throws: `PlatformError.system` if even ordinary memory cannot be mapped.
    package init(
        byteCount: Int = SecretArena.defaultByteCount,
        preferring preference: Preference = .memfdSecret
    ) throws(PlatformError) {
        precondition(byteCount > 0)
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        let size = (byteCount + pageSize - 1) / pageSize * pageSize
        let mapping = try Self.map(size, preferring: preference)
        // Additional protection: if the kernel refuses it, the other protections still hold.
        _ = madvise(mapping.base, size, MADV_DONTDUMP)
        _ = madvise(mapping.base, size, MADV_DONTFORK)
        self.base = mapping.base
        self.protection = mapping.protection
        self.shortfall = mapping.shortfall
        self.byteCount = size
        self.blocks = Lock([Bool](repeating: false, count: size / Self.blockSize))
    }

    deinit {
        explicit_bzero(base, byteCount)
        munmap(base, byteCount)
    }

    private static func map(
        _ size: Int,
        preferring preference: Preference
    ) throws(PlatformError) -> (
        base: UnsafeMutableRawPointer, protection: Protection, shortfall: SecretMemoryShortfall?
    ) {
        var shortfall = SecretMemoryShortfall()
        if preference == .memfdSecret {
            var secret: UnsafeMutableRawPointer?
            let result = relx_map_secret_memory(size, &secret)
            if result == 0, let secret { return (secret, .memfdSecret, nil) }
            shortfall.memfdSecret = -result
        }
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else {
            throw .system(call: "mmap", subject: "", errno: errno)
        }
        if Glibc.mlock(mapped, size) == 0 { return (mapped, .mlock, shortfall.isNothing ? nil : shortfall) }
        shortfall.mlock = errno
        return (mapped, .swappable, shortfall)
    }

    /// Reserves blocks for `byteCount` bytes, first fit, and returns their offset.
    func reserve(_ byteCount: Int) throws(PlatformError) -> Int {
        let needed = Self.blockCount(for: byteCount)
        let start: Int? = blocks.withLock { blocks in
            var free = 0
            for index in blocks.indices {
                free = blocks[index] ? 0 : free + 1
                guard free == needed else { continue }
                for used in (index - needed + 1)...index { blocks[used] = true }
                return index - needed + 1
            }
            return nil
        }
        guard let start else { throw .arenaExhausted(byteCount: byteCount) }
        return start * Self.blockSize
    }

    /// Wipes and frees the blocks that `reserve` returned.
    func release(offset: Int, byteCount: Int) {
        let count = Self.blockCount(for: byteCount)
        explicit_bzero(base + offset, count * Self.blockSize)
        blocks.withLock { blocks in
            for index in (offset / Self.blockSize)..<(offset / Self.blockSize + count) { blocks[index] = false }
        }
    }

    func bytes(offset: Int, byteCount: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + offset, count: byteCount)
    }

    /// The size of all blocks that are not reserved.
    package var freeByteCount: Int {
        blocks.withLock { blocks in blocks.count { !$0 } } * Self.blockSize
    }

    private static func blockCount(for byteCount: Int) -> Int {
        max(1, (byteCount + blockSize - 1) / blockSize)
    }
}

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
        if let base = rest.baseAddress { explicit_bzero(base, rest.count) }
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
        withBytes { mine in other.withBytes { theirs in ConstantTime.areEqual(mine, theirs) } }
    }
}

/// A secret with several owners, wiped when the last one drops it: the data key of an open vault, or a password that
/// is passed to another thread.
package final class SharedSecret: Sendable {
    /// The secret itself.
    package let secret: Secret

    /// Makes a secret shareable.
    package init(_ secret: consuming Secret) {
        self.secret = secret
    }

    /// - Returns: nil if there is no secret.
    package convenience init?(_ secret: consuming Secret?) {
        guard let secret = consume secret else { return nil }
        self.init(secret)
    }
}

/// The protections of secret memory that the kernel has refused, with the `errno` of each.
package struct SecretMemoryShortfall: Sendable, Hashable {
    /// Without it debuggers of the kernel and hibernation can read the secrets.
    package internal(set) var memfdSecret: Int32?
    /// Without it the secrets may reach the swap space. Nil if it was not needed.
    package internal(set) var mlock: Int32?

    var isNothing: Bool { memfdSecret == nil && mlock == nil }

    /// Whether secrets may reach the swap space.
    package var isSwappable: Bool { mlock != nil }

    /// The calls that failed, each with the text of its errno.
    package var reasons: String {
        let refused = [memfdSecret.map { "memfd_secret: \(Self.text($0))" }, mlock.map { "mlock: \(Self.text($0))" }]
        return refused.compactMap { $0 }.joined(separator: "; ")
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
