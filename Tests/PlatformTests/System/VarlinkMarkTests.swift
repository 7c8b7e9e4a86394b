// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("The mark of a Varlink socket") struct VarlinkMarkTests {
    /// Prints the attribute of a file, or the error number.
    private static let reader = """
        import os, sys
        try: print(os.getxattr(sys.argv[1], "user.varlink", follow_symlinks=False).decode())
        except OSError as error: print(error.errno)
        """

    private static func mark(of path: String) async throws -> String {
        try await Command(["python3", "-c", reader, path]).succeed()
    }

    @Test("is set on a file of a file system with extended attributes, and replaced")
    func file() async throws {
        // The directory of temporary files may be on a file system without them.
        let path = "/dev/shm/relativityd-mark-\(getpid())"
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        defer { unlink(path) }
        for _ in 1...2 { #expect(VarlinkMark.set(at: path) == 0) }
        #expect(try await Self.mark(of: path) == "entrypoint\n")
    }

    @Test("is not set through a symbolic link, and a missing file is no failure of the caller")
    func others() async throws {
        let target = "/dev/shm/relativityd-mark-target-\(getpid())"
        close(open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        symlink(target, target + ".link")
        defer {
            unlink(target)
            unlink(target + ".link")
        }
        // Linux permits no attribute of a user on a symbolic link.
        #expect(VarlinkMark.set(at: target + ".link") == EPERM)
        #expect(try await Self.mark(of: target) == "\(ENODATA)\n")
        #expect(VarlinkMark.set(at: target + ".missing") == ENOENT)
    }
}
