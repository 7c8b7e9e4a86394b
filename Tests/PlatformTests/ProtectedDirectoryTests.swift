// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("Protected directories and atomic files")
struct ProtectedDirectoryTests {
    private let temporary = TemporaryDirectory()

    @Test("AtomicFile writes, reads and replaces a file, and leaves no temporary file")
    func writeAndRead() throws {
        let directory = try ProtectedDirectory(temporary.path(of: "a/b/c"), creating: true)
        #expect(try AtomicFile.read("state", in: directory, maximumBytes: 100) == nil)
        try AtomicFile.write([1, 2, 3], to: "state", in: directory)
        try AtomicFile.write([4, 5], to: "state", in: directory)
        #expect(try AtomicFile.read("state", in: directory, maximumBytes: 100) == [4, 5])
        try AtomicFile.write([], to: "empty", in: directory)
        #expect(try AtomicFile.read("empty", in: directory, maximumBytes: 0) == [])
        try directory.remove("empty")
        try directory.remove("empty")
        var facts = stat()
        #expect(stat(directory.path(of: "state"), &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        #expect(try AtomicFile.read("state", in: directory, maximumBytes: 2) == [4, 5])
        #expect(throws: PlatformError.tooLarge(subject: directory.path(of: "state"), maximumBytes: 1)) {
            try AtomicFile.read("state", in: directory, maximumBytes: 1)
        }
    }

    @Test("AtomicFile keeps the old file and leaves no temporary file when a write fails")
    func failedWrite() throws {
        let directory = try ProtectedDirectory(temporary.path)
        mkdir(temporary.path(of: "state"), 0o700)
        temporary.write([1], to: "state/inside")
        #expect(throws: PlatformError.self) { try AtomicFile.write([1], to: "state", in: directory) }
        #expect(temporary.names() == ["state"])
    }

    @Test("temporary files that a killed process left are removed by name, and by age if they may be in use")
    func staleFiles() throws {
        let directory = try ProtectedDirectory(temporary.path)
        let kept = [".state.0123.tmp", ".state.0123456789abcdef.txt", ".state.prev.0123456789abcdef.tmp", "state"]
        let (old, new) = (try AtomicFile.temporaryName(of: "state"), try AtomicFile.temporaryName(of: "state"))
        for name in kept + [old, new] { temporary.write([1], to: name) }
        let past = timespec(tv_sec: time(nil) - 7_200, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, temporary.path(of: old), [past, past], 0) == 0)
        AtomicFile.removeStaleFiles(of: ["state"], in: directory, olderThan: .seconds(3_600))
        #expect(temporary.names() == (kept + [new]).sorted())
        AtomicFile.removeStaleFiles(of: ["other", "state"], in: directory)
        #expect(temporary.names() == kept)
    }

    @Test("ProtectedDirectory rejects links, files and directories open to others, with a command that fixes it")
    func hostileDirectory() throws {
        mkdir(temporary.path(of: "real"), 0o700)
        symlink(temporary.path(of: "real"), temporary.path(of: "link"))
        temporary.write([], to: "file")
        for name in ["link", "file"] {
            let error = #expect(throws: PlatformError.self) { try ProtectedDirectory(temporary.path(of: name)) }
            guard case .unsafePermissions = error else {
                Issue.record("\(name) was refused as \(String(describing: error))")
                continue
            }
        }
        for mode: mode_t in [0o755, 0o710, 0o701, 0o770, 0o777] {
            chmod(temporary.path(of: "real"), mode)
            let error = #expect(throws: PlatformError.self) { try ProtectedDirectory(temporary.path(of: "real")) }
            #expect(error?.description.contains("chmod 700 '\(temporary.path(of: "real"))'") == true)
        }
        #expect(throws: PlatformError.system(call: "open", subject: temporary.path(of: "none"), errno: ENOENT)) {
            try ProtectedDirectory(temporary.path(of: "none"))
        }
    }

    @Test("reading rejects links, FIFOs, directories, files open to others and files with two names")
    func hostileFile() throws {
        let directory = try ProtectedDirectory(temporary.path)
        temporary.write([1], to: "real")
        symlink("real", temporary.path(of: "link"))
        mkfifo(temporary.path(of: "fifo"), 0o600)
        mkdir(temporary.path(of: "directory"), 0o700)
        temporary.write([1], to: "open", mode: 0o604)
        temporary.write([1], to: "group", mode: 0o640)
        temporary.write([1], to: "hard")
        Glibc.link(temporary.path(of: "hard"), temporary.path(of: "twin"))
        for name in ["link", "fifo", "directory", "open", "group", "hard"] {
            let error = #expect(throws: PlatformError.self, "\(name)") {
                try AtomicFile.read(name, in: directory, maximumBytes: 100)
            }
            guard case .unsafePermissions = error else {
                Issue.record("\(name) was refused as \(String(describing: error))")
                continue
            }
            #expect(throws: PlatformError.self, "\(name)") {
                _ = try ProtectedFile.openOrCreate(name, in: directory, maximumBytes: 100)
            }
        }
    }

    @Test("ProtectedDirectory rejects a directory of another user")
    func otherOwner() throws {
        guard geteuid() != 0 else {
            let path = temporary.path(of: "foreign")
            mkdir(path, 0o700)
            #expect(chown(path, 65534, 65534) == 0)
            let error = #expect(throws: PlatformError.self) { try ProtectedDirectory(path) }
            #expect(error?.description.contains("belongs to user 65534") == true)
            return
        }
        // Without root, chown cannot give a file away. The root directory already belongs to another user.
        let error = #expect(throws: PlatformError.self) { try ProtectedDirectory("/") }
        #expect(error?.description.contains("belongs to user 0") == true)
    }
}
