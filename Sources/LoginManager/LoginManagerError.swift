// SPDX-License-Identifier: Apache-2.0

/// Why logind is not heard. Texts of the bus are printed only after they were made printable.
package enum LoginManagerError: Error, Hashable, CustomStringConvertible {
    case cannotStartThread(errno: Int32)
    /// No connection to the system bus; the bus's own words.
    case noSystemBus(reason: String)
    case busLost
    /// The bus is there, and nobody on it has logind's name.
    case notRunning
    /// logind will not wait for us before it sleeps.
    case noDelay(reason: String)
    /// The bus or logind answered a call with an error, or not at all.
    case refused(call: String, reason: String)

    package var description: String {
        switch self {
        case .cannotStartThread(let errno): "the thread for it cannot be started (errno \(errno))"
        case .noSystemBus(let reason): "the system bus cannot be reached: \(reason)"
        case .busLost: "the connection to the system bus was lost"
        case .notRunning: "systemd-logind is not running"
        case .noDelay(let reason): "systemd-logind does not wait for it: \(reason)"
        case .refused(let call, let reason): "\(call) was refused: \(reason)"
        }
    }
}
