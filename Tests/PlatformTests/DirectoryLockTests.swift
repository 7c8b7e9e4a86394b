// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("Directory locks")
struct DirectoryLockTests {
    private let temporary = TemporaryDirectory()

    private var path: String { temporary.path(of: "home/state") }
    private var file: String { "home/state/\(DirectoryLock.fileName)" }

    @Test("a second lock fails and names the holder, until the holder drops its lock")
    func holder() throws {
        let first = try DirectoryLock(path)
        let error = #expect(throws: DirectoryLock.Held.self) { try DirectoryLock(path) }
        #expect(error?.holder.hasPrefix("process \(getpid()) on ") == true)
        _ = consume first
        _ = try DirectoryLock(path)
    }

    @Test("a process locks one directory once when it is reached by two paths")
    func sameDirectory() throws {
        let first = try DirectoryLock(path)
        #expect(symlink(temporary.path(of: "home"), temporary.path(of: "link")) == 0)
        let second = try DirectoryLock(temporary.path(of: "link/state"), besides: first)
        let other = try DirectoryLock(temporary.path(of: "other"), besides: first)
        #expect(throws: DirectoryLock.Held.self) { try DirectoryLock(temporary.path(of: "other")) }
        withExtendedLifetime((first, second, other)) {}
    }

    @Test(
        "a missing or unprintable holder name does not prevent the error",
        arguments: [[], [0x1B, 0x0A, 0xFF], [UInt8](repeating: 0x61, count: 600)]
    )
    func unknownHolder(text: [UInt8]) throws {
        let lock = try DirectoryLock(path)
        let descriptor = open(temporary.path(of: file), O_WRONLY | O_TRUNC)
        #expect(write(descriptor, text, text.count) == text.count)
        close(descriptor)
        let error = #expect(throws: DirectoryLock.Held.self) { try DirectoryLock(path) }
        #expect(error?.holder == "another process")
        withExtendedLifetime(lock) {}
    }

    @Test("DirectoryLock rejects a directory that other users can access")
    func openDirectory() throws {
        _ = try DirectoryLock(path)
        chmod(path, 0o755)
        #expect(throws: PlatformError.self) { try DirectoryLock(path) }
    }
}
