// SPDX-License-Identifier: Apache-2.0

import Broker
import LocalAPI
import Registry

extension RegistryAPI.Probe {
    init(_ report: ProbeReport) {
        let outcome: Outcome =
            switch report.contact {
            case .reached: .reachable
            case .failed: .unreachable
            case .conflict: .conflict
            }
        let (seconds, attoseconds) = report.took.components
        self.init(
            outcome: outcome,
            reason: report.contact.reason.map(RegistryAPI.Reason.init),
            milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        )
    }
}
