// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Registry

/// Decides when which endpoint is probed. Pure: time and chance are passed in, and `LivenessMonitor` performs.
///
/// However many endpoints there are, and whatever they answer, probes begin `ProbeLimits.spacing` apart at the least, and
/// so many run at once as `ProbeLimits` says. With no target there is nothing to wait for.
struct ProbeSchedule {
    enum Step: Equatable {
        /// To be told of its end by `ended`.
        case probe(EndpointID)
        /// Nothing to do before this time.
        case wait(until: NIODeadline)
        /// Nothing to do until a target comes or a probe ends.
        case rest
    }

    private struct Target {
        var interest: ProbeInterest
        var due: NIODeadline
        /// Not before this time, however much haste there is.
        var earliest: NIODeadline
    }

    private let limits: ProbeLimits
    private var targets: [EndpointID: Target] = [:]
    /// What is under way, also for targets that were given up meanwhile.
    private var running: [EndpointID: ProbeInterest] = [:]
    private var nextStart = NIODeadline.uptimeNanoseconds(0)

    init(_ limits: ProbeLimits) {
        self.limits = limits
    }

    func isTarget(_ id: EndpointID) -> Bool { targets[id] != nil }

    /// Makes an endpoint a target, or one of another interest.
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
            case (nil, _): now + TimeAmount(ProbeLimits.haste * Double.random(in: 0...1, using: &random))
            case (let known?, .inUse): min(known.due, now + period(interest, using: &random))
            case (_, .kept): now + period(interest, using: &random)
            }
        targets[id] = Target(interest: interest, due: due, earliest: known?.earliest ?? now)
    }

    mutating func drop(_ id: EndpointID) {
        targets[id] = nil
    }

    /// An endpoint has another place now, so what was known of it may be wrong.
    mutating func moved(_ id: EndpointID, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        hasten(id, to: now + TimeAmount(ProbeLimits.haste * Double.random(in: 0...1, using: &random)))
    }

    /// The machine's network is another one now.
    mutating func networkChanged(at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        for id in targets.keys { moved(id, at: now, using: &random) }
    }

    /// Somebody's call met this: a success is as good as a probe, a failure asks for one at once.
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
            hasten(id, to: now)
        }
    }

    /// A probe has ended, whatever came of it.
    mutating func ended(_ id: EndpointID, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        running[id] = nil
        guard let target = targets[id] else { return }
        let due = now + period(target.interest, using: &random)
        targets[id]?.due = due
        targets[id]?.earliest = now + TimeAmount(ProbeLimits.pause)
    }

    /// What to do now. To be asked again after each answer but `rest`.
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

    /// Those in use come first; then those that have waited longest.
    private static func isBefore(
        _ one: (key: EndpointID, value: Target),
        _ other: (key: EndpointID, value: Target)
    ) -> Bool {
        guard one.value.interest == other.value.interest else { return one.value.interest == .inUse }
        return (one.value.due, one.key.text) < (other.value.due, other.key.text)
    }

    private mutating func hasten(_ id: EndpointID, to time: NIODeadline) {
        guard let target = targets[id] else { return }
        targets[id]?.due = min(target.due, max(time, target.earliest))
    }

    /// Never longer than the interval, so that what is promised of it holds.
    private func period(_ interest: ProbeInterest, using random: inout some RandomNumberGenerator) -> TimeAmount {
        let interval = interest == .inUse ? limits.intervalInUse : limits.interval
        return TimeAmount(interval * Double.random(in: 0.8...1, using: &random))
    }
}
