// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Listings of directories that others may write.
package enum DirectoryNames {
    /// The sorted names in a directory, without those that begin with a dot. Empty if the directory cannot be read.
    package static func of(_ directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
