// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import CLinux
import Glibc
import Synchronization

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
    package enum Preference: Sendable {
        case memfdSecret, mlock
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
    private let blocks: Mutex<[Bool]>

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
        self.blocks = Mutex([Bool](repeating: false, count: size / Self.blockSize))
    }

    deinit {
        OPENSSL_cleanse(base, byteCount)
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
        OPENSSL_cleanse(base + offset, count * Self.blockSize)
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
