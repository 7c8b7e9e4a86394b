// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalAPI
@testable import relctl

@Suite("Outcomes of a refresh of kept tables")
struct KeptRefreshTests {
    @Test(
        "the exit status is that of the worst outcome",
        arguments: [
            ([], 0), ([.refreshed], 0), ([.skipped, .refreshed], 0), ([.unreachable, .refreshed, .skipped], 12),
            ([.unreachable, .incomplete], 15), ([.failed, .unreachable], 15), ([.incomplete, .refreshed], 15),
        ] as [([KeptRefresh.Outcome], Int32)]
    )
    func status(_ outcomes: [KeptRefresh.Outcome], _ status: Int32) {
        #expect(KeptRefresh.Outcome.status(outcomes).rawValue == status)
    }

    @Test("an exit status of the helper and an error of the daemon have an outcome")
    func outcomes() {
        let statuses: [(Int32, KeptRefresh.Outcome)] = [
            (0, .refreshed), (1, .failed), (3, .skipped), (12, .unreachable), (14, .failed), (15, .incomplete),
            (137, .failed),
        ]
        for (status, outcome) in statuses { #expect(KeptRefresh.Outcome(status) == outcome, "\(status)") }
        for code in DaemonError.Code.allCases {
            let outcome = KeptRefresh.Outcome(code)
            switch code {
            case .vaultAbsent, .vaultLocked, .providerUnavailable: #expect(outcome == .skipped)
            case .endpointUnreachable: #expect(outcome == .unreachable)
            default: #expect(outcome == .failed, "a refused login is no server that is away: \(code)")
            }
        }
    }
}
