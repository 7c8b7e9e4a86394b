// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The content of a directory that a test may read, like `/proc/self/fd`.
package enum DirectoryListing {
    /// The sorted names in a directory, without `.` and `..`; empty if it cannot be read.
    package static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
