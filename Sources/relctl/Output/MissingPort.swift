// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// That a URL was given without a port, which means that of its scheme and not Relativity's.
struct MissingPort {
    let text: String

    /// - Parameters:
    ///   - address: as it was typed.
    ///   - port: what was made of it.
    /// - Returns: nil where the port was given, or is Relativity's.
    init?(in address: String, port: Int64) {
        guard let start = address.firstRange(of: "://")?.upperBound, port != Int64(ServerURL.usualPort) else {
            return nil
        }
        let authority = address[start...].prefix { $0 != "/" }
        let afterHost = authority.drop { $0 != "]" }
        guard !(afterHost.isEmpty ? authority : afterHost).contains(":") else { return nil }
        text = "relctl: note: without a port this is port \(port); Relativity's is \(ServerURL.usualPort)\n"
    }
}
