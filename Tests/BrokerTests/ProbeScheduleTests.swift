// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Registry
import TestSupport
import Testing

@testable import Broker

@Suite("Times of probes")
struct ProbeScheduleTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private var random = SeededRandom(seed: 1)
    private var schedule = ProbeSchedule(ProbeLimits())
    private let one: EndpointID
    private let other: EndpointID

    init() throws {
        one = try #require(EndpointID("one"))
        other = try #require(EndpointID("other"))
    }

    @Test("in random histories the limits hold, unwanted endpoints are not probed, and wanted ones are not forgotten")
    func bounds() {
        let histories = Soak.count(1_000, soak: 50_000)
        var starts = 0
        for seed in 0..<histories {
            var run = ProbeRun(seed: UInt64(seed))
            for step in 0..<200 {
                if let problem = run.step() {
                    Issue.record("history \(seed), step \(step): \(problem)")
                    return
                }
            }
            starts += run.starts
        }
        print("probe schedule: \(histories) histories, \(starts) probes")
        #expect(starts > histories * 20)
    }

    @Test("without a target there is no next time")
    mutating func noTarget() {
        #expect(schedule.next(at: Self.start) == .rest)
        schedule.want(one, .kept, at: Self.start, using: &random)
        schedule.drop(one)
        #expect(schedule.next(at: Self.start + .hours(1)) == .rest)
    }

    @Test("an endpoint is probed soon, then within each interval, and within the short interval while in use")
    mutating func intervals() throws {
        var now = Self.start
        schedule.want(one, .kept, at: now, using: &random)
        #expect(try untilProbe(&now) <= .seconds(2))
        for _ in 0..<100 {
            schedule.ended(one, at: now, using: &random)
            let pause = try untilProbe(&now)
            #expect(pause >= .seconds(48) && pause <= .seconds(60))
        }
        schedule.ended(one, at: now, using: &random)
        schedule.want(one, .inUse, at: now, using: &random)
        for _ in 0..<100 {
            let pause = try untilProbe(&now)
            #expect(pause >= .seconds(4) && pause <= .seconds(5))
            schedule.ended(one, at: now, using: &random)
        }
        schedule.want(one, .kept, at: now, using: &random)
        #expect(try untilProbe(&now) >= .seconds(48))
    }

    @Test("a successful call makes a probe unnecessary for an interval, and a failed call expedites one")
    mutating func calls() throws {
        var now = Self.start
        schedule.want(one, .inUse, at: now, using: &random)
        _ = try untilProbe(&now)
        schedule.ended(one, at: now, using: &random)
        for _ in 0..<1_000 {
            now = now + .seconds(3)
            schedule.heard(.reached, of: one, at: now, using: &random)
            guard case .wait = schedule.next(at: now) else {
                Issue.record("it is probed although calls succeed")
                return
            }
        }
        schedule.heard(.failed(StateReason(code: .noAnswer)), of: one, at: now, using: &random)
        #expect(schedule.next(at: now) == .probe(one))
    }

    @Test("however many calls fail within a second, the probes keep their minimum interval")
    mutating func failingCalls() throws {
        var now = Self.start
        schedule.want(one, .inUse, at: now, using: &random)
        _ = try untilProbe(&now)
        schedule.ended(one, at: now, using: &random)
        schedule.heard(.failed(StateReason(code: .noAnswer)), of: one, at: now, using: &random)
        #expect(try untilProbe(&now) == .seconds(2))
    }

    @Test("an endpoint in use goes before one that has waited longer")
    mutating func order() {
        schedule.want(one, .kept, at: Self.start, using: &random)
        schedule.want(other, .inUse, at: Self.start + .seconds(5), using: &random)
        #expect(schedule.next(at: Self.start + .seconds(10)) == .probe(other))
        #expect(schedule.next(at: Self.start + .milliseconds(10_050)) == .probe(one))
    }

    @Test("a change of the network expedites all probes, spread over two seconds")
    mutating func network() throws {
        var now = Self.start
        schedule.want(one, .kept, at: now, using: &random)
        _ = try untilProbe(&now)
        schedule.ended(one, at: now, using: &random)
        now = now + .seconds(10)
        schedule.networkChanged(at: now, using: &random)
        #expect(try untilProbe(&now) <= .seconds(2))
    }

    /// Advances to the times of the schedule until it requests a probe.
    private mutating func untilProbe(_ now: inout NIODeadline) throws -> Duration {
        let start = now
        for _ in 0..<10 {
            switch schedule.next(at: now) {
            case .probe: return Duration(now - start)
            case .wait(let time): now = time
            case .rest: break
            }
        }
        throw NotInTime(seconds: 0)
    }
}
