// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// Says which sources of servers do not work, so that a list may lack some.
struct FailedDiscovery {
    let text: String

    /// - Returns: nil if all sources work.
    init?(_ status: ManagerAPI.Status) {
        let down = status.sources.filter { $0.state == .down }
        guard !down.isEmpty else { return nil }
        text =
            down.map { "discovery through \(Printable($0.name)) does not work: \($0.reason)\n" }.joined()
            + "find out why: relctl doctor\n"
    }
}
