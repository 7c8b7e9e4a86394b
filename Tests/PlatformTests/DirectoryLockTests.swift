// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("The lock of a process on a directory")
struct DirectoryLockTests {
    private let temporary = TemporaryDirectory()

    private var path: String { temporary.path(of: "home/state") }
    private var file: String { "home/state/\(DirectoryLock.fileName)" }

    @Test("one holds it, others hear of whom, and it is free again when the holder has gone")
    func holder() throws {
        let first = try DirectoryLock(path)
        let error = #expect(throws: DirectoryLock.Held.self) { try DirectoryLock(path) }
        #expect(error?.holder.hasPrefix("process \(getpid()) on ") == true)
        _ = consume first
        _ = try DirectoryLock(path)
    }

    @Test("two directories that are one are locked once, by whatever path")
    func sameDirectory() throws {
        let first = try DirectoryLock(path)
        #expect(symlink(temporary.path(of: "home"), temporary.path(of: "link")) == 0)
        let second = try DirectoryLock(temporary.path(of: "link/state"), besides: first)
        let other = try DirectoryLock(temporary.path(of: "other"), besides: first)
        #expect(throws: DirectoryLock.Held.self) { try DirectoryLock(temporary.path(of: "other")) }
        withExtendedLifetime((first, second, other)) {}
    }

    @Test(
        "a file that names nobody, or nobody that can be shown, holds up no message",
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

    @Test("a directory that others could write is refused")
    func openDirectory() throws {
        _ = try DirectoryLock(path)
        chmod(path, 0o755)
        #expect(throws: PlatformError.self) { try DirectoryLock(path) }
    }
}
