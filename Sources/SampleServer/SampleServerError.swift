// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why the sample server cannot start.
package enum SampleServerError: Error {
    case system(call: String, path: String, errno: Int32)
    case database(path: String, reason: String)
    case cannotListen(address: String, reason: String)
}

extension SampleServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let call, let path, let errno): "\(call) of '\(path)' failed: \(String(cString: strerror(errno)))"
        case .database(let path, let reason): "cannot use the database '\(path)': \(reason)"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        }
    }
}
