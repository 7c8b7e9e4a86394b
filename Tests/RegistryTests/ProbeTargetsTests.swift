// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Registry

@Suite("Targets of probes")
struct ProbeTargetsTests {
    @Test("in random histories the events yield the allowed targets with the right interest")
    func fold() throws {
        let ids = (0..<6).compactMap { EndpointID("e\($0)") }
        let urls = try ["10.0.0.1", "10.0.0.2"].map { try ServerURL(completing: $0) }
        for seed in 0..<500 {
            var random = SeededRandom(seed: UInt64(seed))
            var targets = ProbeTargets()
            var uses: [EndpointID: Int] = [:]
            var allowed: [EndpointID: Endpoint] = [:]
            var told: [EndpointID: ProbeInterest] = [:]
            for _ in 0..<100 {
                let id = ids[Int.random(in: 0..<ids.count, using: &random)]
                let before = allowed[id]
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    targets.beginUse(of: id)
                    uses[id, default: 0] += 1
                case 1 where uses[id] ?? 0 > 0:
                    targets.endUse(of: id)
                    uses[id, default: 0] -= 1
                case 2: allowed[id] = nil
                default: allowed[id] = Self.endpoint(id, at: urls[Int.random(in: 0...1, using: &random)])
                }
                switch targets.review(id, as: allowed[id]) {
                case .wanted(let id, let interest): told[id] = interest
                case .unwanted(let id): told[id] = nil
                case .moved: #expect(before != nil && before?.url != allowed[id]?.url)
                case .heard, .turned: Issue.record("it tells what it cannot know")
                case nil: break
                }
                let expected = allowed[id].map { _ in uses[id] ?? 0 > 0 ? ProbeInterest.inUse : .kept }
                #expect(told[id] == expected && targets.isTarget(id) == (expected != nil), "seed \(seed)")
            }
        }
    }

    private static func endpoint(_ id: EndpointID, at url: ServerURL) -> Endpoint {
        Endpoint(id: id, name: id.text, origin: .manual, state: .unknown, url: url)
    }
}
