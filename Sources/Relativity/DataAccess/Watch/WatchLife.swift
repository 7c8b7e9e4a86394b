// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The life of a watch: whether the server answers, and when the next attempt is due if it does not.
///
/// A watch begins with a reading that succeeds. After that it survives a server that cannot be reached.
package struct WatchLife {
    /// A state of the watch.
    package enum State: String, CaseIterable, Sendable {
        /// A reading begins.
        case busy
        /// A reading has ended. All its changes were reported.
        case ready
        /// The rows of the table differ from the last reading.
        case tablesChanged
        /// The server cannot be reached.
        case offline
        /// The server answers again.
        case online
    }

    /// The longest time between two attempts to reach the server.
    package static let longestPause = Duration.seconds(30)

    private var hasRead = false
    private var attempts = 0

    /// A watch that has read nothing.
    package init() {}

    /// Whether the server could not be reached, and has not answered since.
    package var isOffline: Bool { attempts > 0 }

    /// A reading was complete.
    package mutating func read() { hasRead = true }

    /// The server has answered.
    ///
    /// - Returns: whether it was offline.
    package mutating func answered() -> Bool {
        defer { attempts = 0 }
        return isOffline
    }

    /// A reading has failed.
    ///
    /// - Returns: the time until the next attempt, from 1 s, twice as long after each one.
    /// - Throws: the error, if it ends the watch.
    package mutating func failed(_ error: any Error) throws -> Duration {
        guard hasRead, Self.isOutage(error) else { throw error }
        defer { attempts += 1 }
        return attempts < 5 ? min(.seconds(1 << attempts), Self.longestPause) : Self.longestPause
    }

    /// Whether an error means that the server cannot be reached. If there is no connection to the adapter, or the daemon
    /// refuses the call, the adapter is closed or the vault is locked.
    private static func isOutage(_ error: any Error) -> Bool {
        switch error {
        case DataAdapterError.interrupted, DataAdapterError.timedOut: true
        case DataAdapterError.exception(let exception): exception.isFailureOfServer
        default: false
        }
    }
}
