// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A directory of one test, with mode 0700. It is removed with its content when the test releases it.
package final class TemporaryDirectory: Sendable {
    /// The path, which is short enough for Unix sockets in the directory.
    package let path: String

    package init() {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/rlx.XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no temporary directory under \(base)")
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        Self.removeTree(path)
    }

    package func path(of name: String) -> String { path + "/" + name }

    /// Writes a file, replacing an existing one.
    package func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
        unlink(path(of: name))
        let descriptor = open(path(of: name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        fchmod(descriptor, mode)
        close(descriptor)
    }

    /// The bytes of a file; empty if it cannot be read.
    package func content(of name: String) -> [UInt8] { TextFile.bytes(of: path(of: name)) }

    /// The sorted names in it or in one of its directories, without `.` and `..`.
    package func names(in name: String = ".") -> [String] { DirectoryListing.names(in: path(of: name)) }

    private static func removeTree(_ path: String) {
        for name in DirectoryListing.names(in: path) {
            let child = path + "/" + name
            var facts = stat()
            if lstat(child, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
                removeTree(child)
            } else {
                unlink(child)
            }
        }
        rmdir(path)
    }
}
