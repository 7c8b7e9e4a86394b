// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The writable memory of another process of this user.
enum ProcessMemory {
    /// - Returns: the number of occurrences of each needle. Memory that cannot be read, such as that of memfd_secret,
    ///   is skipped.
    static func count(_ needles: [[UInt8]], in pid: Int32) -> [Int] {
        var counts = [Int](repeating: 0, count: needles.count)
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { return counts }
        defer { close(memory) }
        for region in writableRegions(of: pid) {
            var bytes = [UInt8](repeating: 0, count: region.count)
            let read = bytes.withUnsafeMutableBytes {
                pread(memory, $0.baseAddress, $0.count, off_t(region.lowerBound))
            }
            guard read > 0 else { continue }
            bytes.withUnsafeBytes { bytes in
                for (index, needle) in needles.enumerated() {
                    counts[index] += occurrences(of: needle, in: UnsafeRawBufferPointer(rebasing: bytes[..<read]))
                }
            }
        }
        return counts
    }

    private static func writableRegions(of pid: Int32) -> [Range<Int>] {
        guard let maps = fopen("/proc/\(pid)/maps", "re") else { return [] }
        defer { fclose(maps) }
        var regions: [Range<Int>] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(separator: " ")
            guard words.count > 1, words[1].hasPrefix("rw") else { continue }
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            if ends.count == 2, ends[0] < ends[1], ends[1] - ends[0] <= 256 << 20 { regions.append(ends[0]..<ends[1]) }
        }
        return regions
    }

    private static func occurrences(of needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int {
        guard var place = bytes.baseAddress else { return 0 }
        let end = place + bytes.count
        var count = 0
        while end - place >= needle.count, let found = memchr(place, Int32(needle[0]), end - place - needle.count + 1) {
            if memcmp(found, needle, needle.count) == 0 { count += 1 }
            place = UnsafeRawPointer(found) + 1
        }
        return count
    }
}
