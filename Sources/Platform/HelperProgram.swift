// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the project's helper programs are: found from where the running program itself is, never by a search path.
package enum HelperProgram {
    /// `PREFIX/libexec/relativityd/` for a program in `PREFIX/bin`; beside it in a directory of the build. Where neither
    /// is there the first is named, which the failure to start it then shows.
    package static func path(of name: String) -> String {
        let directory = ownDirectory
        let installed = "/" + (directory.dropLast() + ["libexec", "relativityd", name[...]]).joined(separator: "/")
        let built = "/" + (directory + [name[...]]).joined(separator: "/")
        return access(installed, X_OK) != 0 && access(built, X_OK) == 0 ? built : installed
    }

    /// A program of the project that people call too: it stands in the same directory as the running one.
    package static func path(beside name: String) -> String {
        "/" + (ownDirectory + [name[...]]).joined(separator: "/")
    }

    /// The parts of the path of the directory that the running program is in.
    private static var ownDirectory: [Substring] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast()
    }
}
