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

    @Test("at most sixteen run, of which eight are not in use; they begin apart, and one that ends makes room for one")
    mutating func bounds() throws {
        let kept = (0..<20).compactMap { EndpointID("kept\($0)") }
        let used = (0..<20).compactMap { EndpointID("used\($0)") }
        var now = Self.start
        for id in kept { schedule.want(id, .kept, at: now, using: &random) }
        let first = started(&now)
        #expect(first.count == 8 && Set(first).isSubset(of: kept))
        for id in used { schedule.want(id, .inUse, at: now, using: &random) }
        schedule.drop(used[0])
        let more = started(&now)
        #expect(more.count == 8 && Set(more).isSubset(of: used.dropFirst()))
        // Those in use are due, and go first.
        now = now + .seconds(3)
        for id in [more[0], first[0]] {
            schedule.ended(id, at: now, using: &random)
            let next = started(&now)
            #expect(next.count == 1 && next.allSatisfy { used.contains($0) && !more.contains($0) }, "\(next)")
        }
    }

    /// Waits until nothing more begins.
    private mutating func started(_ now: inout NIODeadline) -> [EndpointID] {
        var ids: [EndpointID] = []
        var last: NIODeadline?
        while true {
            switch schedule.next(at: now) {
            case .probe(let id):
                if let last { #expect(now - last >= TimeAmount(ProbeLimits.spacing)) }
                last = now
                ids.append(id)
            case .wait(let time): now = time
            case .rest: return ids
            }
        }
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
