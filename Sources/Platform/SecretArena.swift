// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import CLinux
import Glibc
import Synchronization

/// Memory for secrets that the kernel keeps out of swap, core dumps and children.
///
/// Blocks are handed to `Secret` values and come back wiped; the mapping itself goes with the last of them.
/// Blocks are multiples of 64 bytes, so that no two secrets share a cache line.
package final class SecretArena: Sendable {
    /// How well the memory is guarded, best first.
    package enum Protection: String, Sendable {
        /// memfd_secret(2): not even mapped in the kernel. While it exists the machine cannot hibernate.
        case memfdSecret = "memfd_secret"
        /// mlock(2): never swapped, but part of a hibernation image.
        case mlock
        /// Neither was allowed; secrets may reach the swap space.
        case swappable
    }

    /// Which guard to try first.
    package enum Preference: Sendable {
        case memfdSecret, mlock
    }

    package static let defaultByteCount = 256 * 1024
    static let blockSize = 64

    package let protection: Protection
    /// What was wanted and refused; nil where nothing was.
    package let shortfall: SecretMemoryShortfall?
    package let byteCount: Int

    // The pointer never changes; `blocks` says which part of it belongs to which Secret.
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer
    private let blocks: Mutex<[Bool]>

    /// - Parameter byteCount: rounded up to whole pages.
    /// - Throws: `PlatformError.system` when not even plain memory can be mapped.
    package init(
        byteCount: Int = SecretArena.defaultByteCount,
        preferring preference: Preference = .memfdSecret
    ) throws(PlatformError) {
        precondition(byteCount > 0)
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        let size = (byteCount + pageSize - 1) / pageSize * pageSize
        let mapping = try Self.map(size, preferring: preference)
        // Both calls only narrow who else may see the pages; a kernel that refuses them still guards the rest.
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

    /// Reserves room for `byteCount` bytes, first fit.
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

    /// Wipes and gives back what `reserve` returned.
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

    /// Bytes not reserved by any secret.
    package var freeByteCount: Int {
        blocks.withLock { blocks in blocks.count { !$0 } } * Self.blockSize
    }

    private static func blockCount(for byteCount: Int) -> Int {
        max(1, (byteCount + blockSize - 1) / blockSize)
    }
}
