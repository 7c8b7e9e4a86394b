// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import Glibc

/// Why the daemon did not start.
enum StartError: Error, CustomStringConvertible {
    case usage(String)
    case configuration(path: String, ConfigurationError)
    case alreadyRunning(socket: String)
    /// Another daemon, with another socket, keeps its files in one of our directories.
    case homeInUse(directory: String, holder: String)
    case socket(path: String, reason: String)

    var description: String {
        switch self {
        case .usage(let reason): "\(reason); see 'relativityd --help'"
        case .configuration(let path, let error): "\(path): \(error)"
        case .alreadyRunning(let socket): "another relativityd serves \(socket) already"
        case .homeInUse(let directory, let holder):
            """
            another relativityd, \(Printable(holder)), keeps its files in \(Printable(directory)); end it first, or give this \
            one an XDG_DATA_HOME and an XDG_STATE_HOME of its own
            """
        case .socket(let path, let reason): "cannot listen on \(path): \(reason)"
        }
    }

    /// As sysexits(3) has it, so that systemd's RestartPreventExitStatus= can tell what trying again cannot mend.
    var exitStatus: Int32 {
        switch self {
        case .usage: 64
        case .alreadyRunning, .homeInUse: 75
        case .configuration: 78
        default: EXIT_FAILURE
        }
    }
}
