// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the project's helper programs are: found from where the running program itself is, never by a search path.
package enum HelperProgram {
    /// `PREFIX/libexec/relativityd/` for a program in `PREFIX/bin`; beside it in a directory of the build. Where neither
    /// is there the first is named, which the failure to start it then shows.
    package static func path(of name: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let directory = own.split(separator: "/").dropLast()
        let installed = "/" + (directory.dropLast() + ["libexec", "relativityd", name[...]]).joined(separator: "/")
        let built = "/" + (directory + [name[...]]).joined(separator: "/")
        return access(installed, X_OK) != 0 && access(built, X_OK) == 0 ? built : installed
    }
}
