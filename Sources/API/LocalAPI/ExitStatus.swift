// SPDX-License-Identifier: Apache-2.0

/// The exit status of relctl and of its helper for data; relctl(1) has the same table.
package enum ExitStatus: Int32 {
    /// Also if the reader has closed the output.
    case done = 0
    case failed = 1
    case vaultLocked = 3
    case vaultDegraded = 4
    case identityConflict = 5
    case providerUnavailable = 6
    case wrongKey = 7
    case damaged = 8
    case storeBusy = 9
    case formatTooNew = 10
    case notFound = 11
    case unreachable = 12
    case loginRefused = 13
    case serverException = 14
    case someFailed = 15
    case beyondServer = 16
    case tablesDiffer = 17
    /// The server may have made a change: it is not sent again before the user decides.
    case unknownOutcome = 18
    case usage = 64
    case noDaemon = 69
    case deadlinePassed = 75
    /// Of the helper only: relativityd refused a call before it sent it. relctl exits with another status.
    case notSent = 77

    /// The status for an error of the daemon.
    package init(_ code: DaemonError.Code) { self = ExitStatus(rawValue: code.row.exitStatus) ?? .failed }
}
