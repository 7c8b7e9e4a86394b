// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// Says why no server is in the list, and how to add one by hand.
struct EmptyList {
    let text: String

    init(_ status: ManagerAPI.Status) {
        let reasons = status.sources.filter { $0.state == .down }.map { source in
            "discovery through \(Printable(source.name)) does not work: \(source.reason)"
        }
        let reason =
            if let first = reasons.first {
                first
            } else if status.multicastInterfaces.isEmpty {
                "no network interface is up that can hear announcements (multicast)"
            } else {
                "nothing was heard for \(Counted(Self.silence(status), "second")) on "
                    + status.multicastInterfaces.map { "\(Printable($0))" }.joined(separator: ", ")
            }
        let notes = status.notes.map { "note: \($0.text)\n" }.joined()
        text = notes + "no servers: \(reason)\nfind out why: relctl doctor\nadd one by hand: relctl add NAME ADDRESS\n"
    }

    private static func silence(_ status: ManagerAPI.Status) -> Int64 {
        status.sources.compactMap { $0.heardSecondsAgo ?? $0.upSeconds }.min() ?? 0
    }
}
