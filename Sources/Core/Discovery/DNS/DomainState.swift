// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Decides which questions about one domain to ask DNS servers, when to ask them, and which events to emit (RFC 6763,
/// sections 4 and 5).
///
/// It works in rounds. A round asks the questions whose answers have expired, follows the answers from lists of
/// instances to SRV records and addresses, and then emits what has changed. Between two rounds nothing happens. Times
/// are on the owner's clock.
struct DomainState {
    enum Action: Equatable {
        case ask(DNSQuestion)
        case tell(SightingEvent)
        /// Report the source as down.
        case fail(DNSError)
        /// Call `woke` after this time.
        case wake(after: Duration)
    }

    private struct Known {
        var answer: DNSAnswer
        /// When the question was last asked.
        var asked: Duration
        var expires: Duration
    }

    private enum Phase {
        case idle, asking, pausing, stopped
    }

    /// If a record of an instance cannot be queried, it is retried after this time. Until then the last answer
    /// counts.
    private static let retryRecord = Duration.seconds(60)
    /// If this many queries in a row get no response, the servers are down, rather than single records missing.
    private static let silencesInARow = 8

    private let reader: InstanceReader
    private let limits: DomainLimits
    private var phase = Phase.idle
    private var known: [DNSQuestion: Known] = [:]
    private var told = SightingSet()
    private var isUp = false
    /// The reported reason while the source is down.
    private var failure: DNSError?
    private var backoff = Backoff(shortest: .seconds(1), longest: .seconds(60))
    /// The findings of the last completed round.
    private(set) var findings = InstanceFindings()

    // The state of the current round.
    private var visited: Set<DNSQuestion> = []
    private var waiting: [DNSQuestion] = []
    private var asked: Set<DNSQuestion> = []
    private var silences = 0
    /// Answers that expire before this time are queried in this round, so that one wake-up serves all of them.
    private var horizon = Duration.zero

    init(_ reader: InstanceReader, limits: DomainLimits) {
        self.reader = reader
        self.limits = limits
    }

    mutating func start(at now: Duration, using random: inout some RandomNumberGenerator) -> [Action] {
        phase == .idle ? begin(at: now, using: &random) : []
    }

    mutating func woke(at now: Duration, using random: inout some RandomNumberGenerator) -> [Action] {
        phase == .pausing ? begin(at: now, using: &random) : []
    }

    /// Refreshes an instance whose records may be outdated: its answers expire, except fresh ones, and the next round
    /// begins now.
    mutating func refresh(_ instance: ServiceInstance, at now: Duration) -> [Action] {
        guard phase == .pausing, isUp else { return [] }
        let old = reader.questions(about: instance) { known[$0]?.answer }
            .filter { known[$0].map { now - $0.asked >= limits.freshness } ?? false }
        for question in old { known[question]?.expires = now }
        // For these questions only, not for all others of the next round.
        horizon = now
        return old.isEmpty ? [] : [.wake(after: .zero)]
    }

    /// Events for all current sightings; none while no server answers.
    var sightedEvents: [SightingEvent] { isUp ? told.sightedEvents : [] }

    mutating func stop() {
        phase = .stopped
    }

    mutating func answered(
        _ question: DNSQuestion,
        _ result: Result<DNSAnswer, DNSError>,
        at now: Duration,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        guard phase == .asking, asked.remove(question) != nil else { return [] }
        var fact = known[question] ?? Known(answer: DNSAnswer(contents: [], ttl: 0), asked: now, expires: now)
        switch result {
        case .success(let answer):
            silences = 0
            let ttl = min(max(.seconds(Int64(answer.ttl)), limits.shortestTTL), limits.longestTTL)
            fact = Known(answer: reader.trimmed(answer, to: question), asked: now, expires: now + ttl)
        case .failure(let error):
            if error == .silence { silences += 1 }
            if reader.roots.contains(question) || silences == Self.silencesInARow {
                return fail(error, using: &random)
            }
            (fact.asked, fact.expires) = (now, now + Self.retryRecord)
        }
        known[question] = fact
        for next in reader.questions(after: question, fact.answer) { visit(next) }
        return proceed(at: now, using: &random)
    }

    private mutating func begin(at now: Duration, using random: inout some RandomNumberGenerator) -> [Action] {
        phase = .asking
        (visited, waiting, asked, silences) = ([], [], [], 0)
        horizon = max(horizon, now + limits.shortestTTL)
        for root in reader.roots { visit(root) }
        return proceed(at: now, using: &random)
    }

    private mutating func visit(_ question: DNSQuestion) {
        guard visited.insert(question).inserted else { return }
        guard let fact = known[question], fact.expires > horizon else { return waiting.append(question) }
        for next in reader.questions(after: question, fact.answer) { visit(next) }
    }

    private mutating func proceed(at now: Duration, using random: inout some RandomNumberGenerator) -> [Action] {
        var actions: [Action] = []
        while asked.count < limits.questionsAtOnce, let question = waiting.popLast() {
            asked.insert(question)
            actions.append(.ask(question))
        }
        return asked.isEmpty ? finish(at: now, using: &random) : actions
    }

    private mutating func finish(at now: Duration, using random: inout some RandomNumberGenerator) -> [Action] {
        phase = .pausing
        backoff.reset()
        known = known.filter { visited.contains($0.key) }
        findings = reader.read { known[$0]?.answer }
        var events = told.replace(with: findings.sightings)
        if !isUp {
            (isUp, failure) = (true, nil)
            events = [.source(.up)] + told.sightedEvents + [.settled]
        }
        let next = (known.values.map(\.expires).min() ?? now) - now
        let pause = max(next, limits.shortestTTL)
        horizon = now + pause
        return events.map { .tell($0) } + [.wake(after: pause * Double.random(in: 0.9...1, using: &random))]
    }

    /// Ends the round. The reported sightings stay, but are unreliable until a round succeeds.
    private mutating func fail(_ error: DNSError, using random: inout some RandomNumberGenerator) -> [Action] {
        phase = .pausing
        for root in reader.roots { known[root] = nil }
        defer { (isUp, failure) = (false, error) }
        return (failure == error ? [] : [.fail(error)]) + [.wake(after: backoff.pause(using: &random))]
    }
}

/// The result of one round in a domain.
struct InstanceFindings: Sendable, Hashable {
    var sightings: [Sighting] = []
    /// Listed instances beyond the limit, twice, or of another domain.
    var ignoredInstances = 0
    /// Instances whose place is not known.
    var unplaced = 0
    /// Addresses outside of the allowed networks.
    var refusedAddresses = 0
}

extension InstanceFindings {
    /// The parts of the domain that are ignored.
    var omissions: [SourceOmission] {
        var omissions: [SourceOmission] = []
        if refusedAddresses > 0 { omissions.append(.addressesRefused(count: refusedAddresses)) }
        if ignoredInstances > 0 { omissions.append(.instancesIgnored(count: ignoredInstances)) }
        if unplaced > 0 { omissions.append(.instancesUnplaced(count: unplaced)) }
        return omissions
    }
}
