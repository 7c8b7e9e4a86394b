// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What is in directories that others write.
package enum DirectoryNames {
    /// The names in a directory but those that begin with a dot, sorted; none where it cannot be read.
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
