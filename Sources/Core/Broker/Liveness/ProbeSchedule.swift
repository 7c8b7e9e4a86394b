// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Registry

/// Decides when each endpoint is probed. Pure: time and random numbers are parameters, and `LivenessMonitor` performs
/// the probes.
///
/// Probes start at least `ProbeLimits.spacing` apart, and the number in progress is limited by `ProbeLimits`,
/// whatever the number of endpoints and their answers. Without a target the schedule sets no timer.
struct ProbeSchedule {
    enum Step: Equatable {
        /// Start this probe, and call `ended` when it is done.
        case probe(EndpointID)
        /// Call `next` again at this time.
        case wait(until: NIODeadline)
        /// Call `next` again when a target is added or a probe ends.
        case rest
    }

    private struct Target {
        var interest: ProbeInterest
        var due: NIODeadline
        /// The probe must not start before this time, even if it is expedited.
        var earliest: NIODeadline
    }

    private let limits: ProbeLimits
    private var targets: [EndpointID: Target] = [:]
    /// Probes in progress, including those of endpoints that are no longer targets.
    private var running: [EndpointID: ProbeInterest] = [:]
    private var nextStart = NIODeadline.uptimeNanoseconds(0)

    init(_ limits: ProbeLimits) {
        self.limits = limits
    }

    func isTarget(_ id: EndpointID) -> Bool { targets[id] != nil }

    /// Makes an endpoint a target, or changes the interest in it.
    mutating func want(
        _ id: EndpointID,
        _ interest: ProbeInterest,
        at now: NIODeadline,
        using random: inout some RandomNumberGenerator
    ) {
        let known = targets[id]
        guard known?.interest != interest else { return }
        let due =
            switch (known, interest) {
            case (nil, _): now + TimeAmount(ProbeLimits.jitter * Double.random(in: 0...1, using: &random))
            case (let known?, .inUse): min(known.due, now + period(interest, using: &random))
            case (_, .kept): now + period(interest, using: &random)
            }
        targets[id] = Target(interest: interest, due: due, earliest: known?.earliest ?? now)
    }

    mutating func drop(_ id: EndpointID) {
        targets[id] = nil
    }

    /// Expedites the probe of an endpoint that has another address now, because its known state may be wrong.
    mutating func moved(_ id: EndpointID, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        expedite(id, to: now + TimeAmount(ProbeLimits.jitter * Double.random(in: 0...1, using: &random)))
    }

    /// Expedites all probes, because the machine is on another network now.
    mutating func networkChanged(at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        for id in targets.keys { moved(id, at: now, using: &random) }
    }

    /// Records the result of a call: a success counts as a probe, a failure requests a probe immediately.
    mutating func heard(
        _ contact: Contact,
        of id: EndpointID,
        at now: NIODeadline,
        using random: inout some RandomNumberGenerator
    ) {
        guard let target = targets[id] else { return }
        if contact == .reached {
            let due = now + period(target.interest, using: &random)
            targets[id]?.due = due
        } else {
            expedite(id, to: now)
        }
    }

    /// Records that a probe has ended, with any result.
    mutating func ended(_ id: EndpointID, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        running[id] = nil
        guard let target = targets[id] else { return }
        let due = now + period(target.interest, using: &random)
        targets[id]?.due = due
        targets[id]?.earliest = now + TimeAmount(ProbeLimits.pause)
    }

    /// The next step. Call again after each result except `rest`.
    mutating func next(at now: NIODeadline) -> Step {
        let keptRunning = running.values.count { $0 == .kept }
        let hasRoom = running.count < ProbeLimits.atOnce
        let hasRoomForKept = hasRoom && keptRunning < ProbeLimits.keptAtOnce
        var earliest: NIODeadline?
        var first: (key: EndpointID, value: Target)?
        for target in targets where running[target.key] == nil {
            guard target.value.interest == .inUse ? hasRoom : hasRoomForKept else { continue }
            earliest = min(earliest ?? target.value.due, target.value.due)
            guard target.value.due <= now else { continue }
            if first.map({ Self.isBefore(target, $0) }) ?? true { first = target }
        }
        guard let earliest else { return .rest }
        guard let first, nextStart <= now else { return .wait(until: max(earliest, nextStart)) }
        running[first.key] = first.value.interest
        nextStart = now + TimeAmount(ProbeLimits.spacing)
        return .probe(first.key)
    }

    /// Whether `one` is probed first: endpoints in use before others, then in order of their due times.
    private static func isBefore(
        _ one: (key: EndpointID, value: Target),
        _ other: (key: EndpointID, value: Target)
    ) -> Bool {
        guard one.value.interest == other.value.interest else { return one.value.interest == .inUse }
        return (one.value.due, one.key.text) < (other.value.due, other.key.text)
    }

    private mutating func expedite(_ id: EndpointID, to time: NIODeadline) {
        guard let target = targets[id] else { return }
        targets[id]?.due = min(target.due, max(time, target.earliest))
    }

    /// At most the interval, which is the documented maximum.
    private func period(_ interest: ProbeInterest, using random: inout some RandomNumberGenerator) -> TimeAmount {
        let interval = interest == .inUse ? limits.intervalInUse : limits.interval
        return TimeAmount(interval * Double.random(in: 0.8...1, using: &random))
    }
}
