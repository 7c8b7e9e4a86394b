// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The paths of the project's helper programs, derived from the path of the running program. No search path is used.
package enum HelperProgram {
    /// `PREFIX/libexec/relativityd/` for a program in `PREFIX/bin`; in a build directory, the helper next to the
    /// program. If neither exists, the first is returned, so that the error of starting it names that path.
    package static func path(of name: String) -> String {
        let directory = ownDirectory
        let installed = "/" + (directory.dropLast() + ["libexec", "relativityd", name[...]]).joined(separator: "/")
        let built = "/" + (directory + [name[...]]).joined(separator: "/")
        return access(installed, X_OK) != 0 && access(built, X_OK) == 0 ? built : installed
    }

    /// A program of the project for users, which is in the same directory as the running one.
    package static func path(beside name: String) -> String {
        "/" + (ownDirectory + [name[...]]).joined(separator: "/")
    }

    /// The components of the path of the running program's directory.
    private static var ownDirectory: [Substring] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast()
    }
}
