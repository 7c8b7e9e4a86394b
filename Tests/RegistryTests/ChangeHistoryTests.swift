// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Registry

@Suite("History of changes")
struct ChangeHistoryTests {
    @Test("the changes since a revision are returned in order, as far as they are stored")
    func since() throws {
        var random = SeededRandom(seed: 7)
        var history = ChangeHistory(capacity: 8)
        for first in [UInt64(0), 1_000, FirstRevision.at(seconds: 1_700_000_000)] {
            history.begin(at: first)
            var told: [RegistryChange] = []
            for count in 0..<30 {
                let newest = first + UInt64(told.count)
                for behind in UInt64(0)...12 where behind <= newest {
                    let missed = history.changes(since: newest - behind)
                    guard behind <= UInt64(min(count, 8)) else {
                        #expect(missed == nil)
                        continue
                    }
                    #expect(missed?.map(\.change) == told.suffix(Int(behind)))
                    #expect(missed?.map(\.revision) == (newest - behind..<newest).map { $0 + 1 })
                }
                #expect(history.changes(since: newest + 1) == nil)
                let change = RegistryChange.added(try Self.endpoint(number: Int.random(in: 0..<1_000, using: &random)))
                history.append(change)
                told.append(change)
            }
        }
    }

    @Test("a run starts above every revision that the previous run can have reached, and elsewhere than other runs")
    func firstRevision() {
        let before = FirstRevision.at(seconds: 1_700_000_000, random: (1 << 20) - 1)
        #expect(FirstRevision.at(seconds: 1_700_000_001, random: 0) > before)
        #expect(FirstRevision.at(seconds: 8_589_934_591) < 1 << 53)
        #expect(Set((0..<8).map { _ in FirstRevision.at(seconds: 1) }).count > 1)
    }

    private static func endpoint(number: Int) throws -> Endpoint {
        let url = try ServerURL(completing: "10.0.0.1:\(number + 1)")
        return Endpoint(id: .derived(from: url), name: "S\(number)", origin: .manual, state: .unknown, url: url)
    }
}
