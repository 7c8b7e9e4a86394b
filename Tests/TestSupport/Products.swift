// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The programs that the tests run.
package enum Products {
    /// The path of the program of an executable target.
    ///
    /// `make test` names the folder of the release programs in RELATIVITYD_PROGRAMS. Without that variable, or if the
    /// folder lacks the program, the path is next to the test program.
    package static func path(of program: String) -> String {
        let shipped = released.map { "\($0)/\(program)" }
        if let shipped, access(shipped, X_OK) == 0 { return shipped }
        return "\(built)/\(program)"
    }

    /// The folder of the release programs, as an absolute path; nil if the variable is not set.
    package static let released: String? = getenv("RELATIVITYD_PROGRAMS").map { String(cString: $0) }

    private static let built: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "/" + own.split(separator: "/").dropLast().joined(separator: "/")
    }()
}
