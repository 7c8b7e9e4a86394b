// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// A file of the administrator, or their directory, that is not taken.
package enum AdministratorsFileProblem: Sendable, Hashable {
    /// - Parameters:
    ///   - isKept: what was read of the file before goes on to hold.
    ///   - reason: a text that is safe to show.
    case file(path: String, isKept: Bool, reason: String)
    /// - Parameters:
    ///   - isKept: what was read in it before goes on to hold.
    ///   - reason: a text that is safe to show.
    case directory(path: String, isKept: Bool, reason: String)
    /// The directory that was asked for does not exist.
    case noDirectory(path: String)
    /// The directory has `count` files, and the first `limit` by name are taken.
    case tooManyFiles(path: String, count: Int, limit: Int)

    static func reason(_ error: any Error) -> String {
        switch error as? PlatformError {
        case .unsafePermissions(_, let reason, let fix)?: "it \(reason); try: \(fix)"
        case .tooLarge(_, let limit)?: "it is larger than \(limit) bytes"
        case .system(let call, _, let errno)?: "\(call) failed: \(String(cString: strerror(errno)))"
        default: "\(error)"
        }
    }
}

/// For the log and `relativityd --check`.
extension AdministratorsFileProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let path, let isKept, let reason):
            "the server's file '\(Printable(path))' \(isKept ? "stays as it was read before" : "is not taken"): \(reason)"
        case .directory(let path, let isKept, let reason):
            "the servers' files in '\(Printable(path))' \(isKept ? "stay as they were read before" : "are not taken"): \(reason)"
        case .noDirectory(let path):
            "the servers' files in '\(Printable(path))' are not taken: there is no such directory"
        case .tooManyFiles(let path, let count, let limit):
            "the servers' files in '\(Printable(path))' are not all taken: of \(count) the first \(limit) by name are"
        }
    }
}
