// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// A message about a rejected file of the administrator, or the directory of these files: the path, the reason and a
/// fix.
struct AdministratorsFileProblem {
    private static let reload = "systemctl --user reload relativityd"

    let text: String

    /// - Parameter keepsLast: the last version of the file that was read stays in effect.
    init(_ path: String, _ error: any Error, keepsLast: Bool) {
        let outcome = keepsLast ? "stays as it was read before" : "is not taken"
        text = "the server's file '\(Printable(path))' \(outcome): \(Self.reason(error))"
    }

    /// - Parameter keepsLast: the last version of the files that was read stays in effect.
    init(directory path: String, _ error: PlatformError, keepsLast: Bool) {
        let outcome = keepsLast ? "stay as they were read before" : "are not taken"
        text = "the servers' files in '\(Printable(path))' \(outcome): \(Self.reason(error))"
    }

    init(missing path: String) {
        text =
            "the servers' files in '\(Printable(path))' are not taken: there is no such directory; make it, or leave out "
            + "--endpoints"
    }

    init(tooMany count: Int, in path: String, limit: Int) {
        text =
            "the servers' files in '\(Printable(path))' are not all taken: of \(count) the first \(limit) by name are"
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? PlatformError {
        case .unsafePermissions(_, let reason, let fix)?: "it \(reason); try: \(fix), then: \(reload)"
        case .tooLarge(_, let limit)?: "it is larger than \(limit) bytes; make it shorter, then: \(reload)"
        case .system(let call, _, let errno)?: "\(call) failed: \(String(cString: strerror(errno))); try: \(reload)"
        default: "\(error); correct it as relativityd(8) says, then: \(reload)"
        }
    }
}
