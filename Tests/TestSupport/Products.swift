// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The programs that the tests run.
package enum Products {
    /// The path of an executable target's program.
    ///
    /// `make test` names the folder of the release programs in RELATIVITYD_PROGRAMS, since those are what ships. A program
    /// that is not in it, or without that variable each, stands beside the test program.
    package static func path(of program: String) -> String {
        let shipped = released.map { "\($0)/\(program)" }
        if let shipped, access(shipped, X_OK) == 0 { return shipped }
        return "\(built)/\(program)"
    }

    /// The folder of the release programs, an absolute path, if the tests were given one.
    package static let released: String? = getenv("RELATIVITYD_PROGRAMS").map { String(cString: $0) }

    private static let built: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "/" + own.split(separator: "/").dropLast().joined(separator: "/")
    }()
}
