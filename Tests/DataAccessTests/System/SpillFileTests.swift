// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import DataAccess

@Suite("Temporary files of a sort", .enabled(if: Requirement.allMet([.root, .program("mount")])))
struct SpillFileTests {
    @Test("a disk that is full is an error of the write, and the bytes before it are read")
    func fullDisk() async throws {
        let temporary = TemporaryDirectory()
        let disk = temporary.path(of: "disk")
        mkdir(disk, 0o700)
        try await Command(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).succeed()
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let file = try SpillFile(in: disk)
        let first = [UInt8](repeating: 7, count: 1_000)
        try file.append(first)
        #expect(throws: PlatformError.system(call: "write", subject: disk, errno: ENOSPC)) {
            try file.append([UInt8](repeating: 8, count: 100_000))
        }
        #expect(file.count == first.count)
        var bytes: [UInt8] = []
        try file.read(0..<file.count, into: &bytes)
        #expect(bytes == first)
    }
}
