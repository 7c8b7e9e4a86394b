// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Glibc
import JSON
import Platform
import Remoting

/// The failure of a job: a message and the exit status of relctl.
struct JobFailure: Error {
    /// The exit status; relctl(1) has the table.
    enum Status: Int32 {
        case failed = 1
        case notFound = 11
        case unreachable = 12
        case serverException = 14
        case beyondServer = 16
        case tablesDiffer = 17
        case usage = 64
        case deadlinePassed = 75
    }

    let status: Status
    /// Untrusted parts are escaped.
    let message: String

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: any Error) {
        switch error {
        case let failure as JobFailure: self = failure
        case RemotingError.exception(let exception) where exception.className == Self.ofDaemon:
            self.init(.failed, "\(Printable(exception.message))")
        case RemotingError.exception(let exception):
            self.init(
                .serverException,
                "the server answered with \(Printable(exception.className)): \(Printable(exception.message))"
            )
        case RemotingError.deadline: self.init(.deadlinePassed, "the server sent no byte for the time of --timeout")
        case let error as RemotingError:
            switch error {
            case .unreachable, .interrupted, .closed: self.init(.unreachable, "\(error)")
            default: self.init(.failed, "\(error)")
            }
        case let error as PredicateError: self.init(.usage, "--where: \(Printable("\(error)"))")
        case let error as JSONShapeError: self.init(.failed, "the job is not valid: \(error)")
        default: self.init(.failed, "\(Printable("\(error)"))")
        }
    }

    /// The exception class of the daemon's own failures.
    private static let ofDaemon = "RelativitydException"

    /// Prints the error and exits.
    func report() -> Never {
        Main.writeError("relctl: error: \(Printable(again: message))\n")
        exit(status.rawValue)
    }
}
