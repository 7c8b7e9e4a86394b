// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Registry
import TestSupport

@testable import Broker

/// One random history of a schedule, checked against its guarantees.
struct ProbeRun {
    private static let ids = (0..<40).compactMap { EndpointID("e\($0)") }
    private static let limits = ProbeLimits()

    private var random: SeededRandom
    private var schedule = ProbeSchedule(Self.limits)
    private var now = NIODeadline.uptimeNanoseconds(1)
    private var wanted: [EndpointID: ProbeInterest] = [:]
    /// The earliest time of the next probe: the interval after the last one.
    private var resting: [EndpointID: NIODeadline] = [:]
    private var running: [EndpointID: ProbeInterest] = [:]
    private var lastStart: NIODeadline?
    private(set) var starts = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// - Returns: the guarantee that was violated.
    mutating func step() -> String? {
        let id = Self.ids[Int.random(in: 0..<Self.ids.count, using: &random)]
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: want(id, .kept)
        case 2, 3: want(id, .inUse)
        case 4: drop(id)
        case 5: schedule.moved(id, at: now, using: &random)
        case 6: schedule.heard(.reached, of: id, at: now, using: &random)
        case 7: schedule.heard(.failed(StateReason(code: .noAnswer)), of: id, at: now, using: &random)
        case 8: schedule.networkChanged(at: now, using: &random)
        case 9, 10: if let id = running.keys.min(by: { $0.text < $1.text }) { end(id) }
        default: now = now + .milliseconds(.random(in: 0...70_000, using: &random))
        }
        return advance()
    }

    private mutating func want(_ id: EndpointID, _ interest: ProbeInterest) {
        wanted[id] = interest
        schedule.want(id, interest, at: now, using: &random)
    }

    private mutating func drop(_ id: EndpointID) {
        (wanted[id], resting[id]) = (nil, nil)
        schedule.drop(id)
    }

    private mutating func end(_ id: EndpointID) {
        running[id] = nil
        if wanted[id] != nil { resting[id] = now + TimeAmount(ProbeLimits.pause) }
        schedule.ended(id, at: now, using: &random)
    }

    /// Acts like the monitor, and sometimes waits until the time of the schedule.
    private mutating func advance() -> String? {
        for _ in 0..<100 {
            switch schedule.next(at: now) {
            case .probe(let id):
                if let problem = began(id) { return problem }
            case .wait(let time):
                guard time > now else { return "it waits for what was" }
                guard time <= now + TimeAmount(Self.limits.interval) else { return "it waits longer than an interval" }
                guard Bool.random(using: &random) else { return nil }
                now = time
            case .rest:
                return isIdle ? nil : "it rests although \(wanted.count) are wanted and \(running.count) are under way"
            }
        }
        return nil
    }

    private mutating func began(_ id: EndpointID) -> String? {
        starts += 1
        guard let interest = wanted[id] else { return "\(id) is not wanted" }
        guard running[id] == nil else { return "\(id) is under way already" }
        if let lastStart, now - lastStart < TimeAmount(ProbeLimits.spacing) {
            return "two begin \(now - lastStart) apart"
        }
        if let earliest = resting[id], now < earliest { return "\(id) has no rest" }
        running[id] = interest
        lastStart = now
        guard running.count <= 16 else { return "\(running.count) at once" }
        guard interest == .inUse || running.values.count(where: { $0 == .kept }) <= 8 else {
            return "in use has no room"
        }
        return nil
    }

    /// Whether every wanted probe is running, or the limit of probes is reached.
    private var isIdle: Bool {
        let waiting = wanted.filter { running[$0.key] == nil }
        if waiting.isEmpty || running.count == 16 { return true }
        return waiting.values.allSatisfy { $0 == .kept } && running.values.count { $0 == .kept } == 8
    }
}
