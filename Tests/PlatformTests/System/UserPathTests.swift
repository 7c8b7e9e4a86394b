// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("Paths that a user names")
struct UserPathTests {
    @Test("symbolic links are followed, also to a file that does not exist")
    func links() throws {
        let folder = TemporaryDirectory()
        folder.write([1, 2], to: "file")
        mkdir(folder.path(of: "d"), 0o700)
        symlink("../file", folder.path(of: "d/one"))
        symlink(folder.path(of: "d/one"), folder.path(of: "two"))
        symlink("new", folder.path(of: "dangling"))
        symlink("loop", folder.path(of: "loop"))
        let root = try #require(realpath(folder.path(of: "."), nil).map { String(cString: $0) })
        #expect(try UserPath(folder.path(of: "two")) == .file("\(root)/file"))
        #expect(try UserPath(folder.path(of: "d/../dangling")) == .file("\(root)/new"))
        #expect(try UserPath("/") == .file("/"))
        #expect(try UserPath.read(folder.path(of: "two"), maximumBytes: 2) == [1, 2])
        let errors = [("loop", ELOOP), ("none/x", ENOENT), ("file/x", ENOTDIR)]
        for (name, code) in errors {
            let path = folder.path(of: name)
            #expect(throws: PlatformError.system(call: "open", subject: path, errno: code)) {
                try UserPath.read(path, maximumBytes: 1)
            }
        }
        #expect(throws: PlatformError.tooLarge(subject: folder.path(of: "file"), maximumBytes: 1)) {
            try UserPath.read(folder.path(of: "file"), maximumBytes: 1)
        }
    }

    @Test("a descriptor is used where it is, by each of its names")
    func descriptors() throws {
        let folder = TemporaryDirectory()
        folder.write(Array("abcdef".utf8), to: "file")
        let file = open(folder.path(of: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        symlink("/dev/fd/\(file)", folder.path(of: "link"))
        let names = [
            "/dev/fd/\(file)", "/proc/self/fd/\(file)", "/proc/\(getpid())/fd/\(file)", folder.path(of: "link"),
        ]
        for name in names {
            #expect(try UserPath(name) == .descriptor(file), "\(name)")
            var byte: UInt8 = 0
            #expect(read(file, &byte, 1) == 1)
        }
        #expect(try UserPath("/dev/stdin") == .descriptor(STDIN_FILENO))
        #expect(try UserPath("/dev/stdout") == .descriptor(STDOUT_FILENO))
        // What was read before is not read again.
        #expect(try UserPath.read("/dev/fd/\(file)", maximumBytes: 8) == Array("ef".utf8))
        // A socket has no name to open.
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        write(ends[1], "xy", 2)
        close(ends[1])
        #expect(try UserPath.read("/dev/fd/\(ends[0])", maximumBytes: 8) == Array("xy".utf8))
        close(ends[0])
    }
}
