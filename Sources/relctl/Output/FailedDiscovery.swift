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
            down.map { source in
                let reason = Printable(again: source.reason ?? "no reason is known")
                return "discovery through \(Printable(source.name)) does not work: \(reason)\n"
            }.joined() + "find out why: relctl doctor\n"
    }
}
