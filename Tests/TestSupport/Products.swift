// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The programs that were built together with the running tests.
package enum Products {
    /// The path of an executable target's program: it stands beside the test program.
    package static func path(of program: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "/" + (own.split(separator: "/").dropLast() + [Substring(program)]).joined(separator: "/")
    }
}
