// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Decides what to ask of DNS servers about one domain, when, and what to tell of it (RFC 6763, sections 4 and 5).
///
/// It works in rounds. A round asks for what has expired, follows the answers from lists of instances to their places and
/// addresses, and then tells what has changed. Between two rounds nothing happens. Times are on the owner's clock.
struct DomainState {
    enum Action: Equatable {
        case ask(DNSQuestion)
        case tell(SightingEvent)
        /// Tell that the source is down.
        case fail(DNSError)
        /// Call `woke` after this pause.
        case wake(after: Duration)
    }

    private struct Known {
        var answer: DNSAnswer
        /// When it was asked for last.
        var asked: Duration
        var expires: Duration
    }

    private enum Phase {
        case idle, asking, pausing, stopped
    }

    /// A record of an instance that cannot be had is tried again after this long; until then the last one counts.
    private static let retryRecord = Duration.seconds(60)
    /// When so many questions in a row meet silence, it is the servers and not single records that are missing.
    private static let silencesInARow = 8

    private let reader: InstanceReader
    private let limits: DomainLimits
    private var phase = Phase.idle
    private var known: [DNSQuestion: Known] = [:]
    private var told = SightingSet()
    private var isUp = false
    /// Why it is down, as was told.
    private var failure: DNSError?
    private var backoff = Backoff(shortest: .seconds(1), longest: .seconds(60))
    /// Of the last round that came to its end.
    private(set) var findings = InstanceFindings()

    // Of the round that is under way.
    private var visited: Set<DNSQuestion> = []
    private var waiting: [DNSQuestion] = []
    private var asked: Set<DNSQuestion> = []
    private var silences = 0
    /// What expires before is asked for in this round, so that one wake-up serves all of it.
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

    /// Somebody doubts what is known of an instance: what is not fresh of it has expired, and the next round begins now.
    mutating func refresh(_ instance: ServiceInstance, at now: Duration) -> [Action] {
        guard phase == .pausing, isUp else { return [] }
        let old = reader.questions(about: instance) { known[$0]?.answer }
            .filter { known[$0].map { now - $0.asked >= limits.freshness } ?? false }
        for question in old { known[question]?.expires = now }
        // Only for these, not for all that the next round would have asked.
        horizon = now
        return old.isEmpty ? [] : [.wake(after: .zero)]
    }

    /// All that is known now; nothing while no server answers.
    var retelling: [SightingEvent] { isUp ? told.retelling : [] }

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
            events = [.source(.up)] + told.retelling + [.settled]
        }
        let next = (known.values.map(\.expires).min() ?? now) - now
        let pause = max(next, limits.shortestTTL)
        horizon = now + pause
        return events.map { .tell($0) } + [.wake(after: pause * Double.random(in: 0.9...1, using: &random))]
    }

    /// Gives the round up. What was told stays, and is not to be trusted until a round succeeds.
    private mutating func fail(_ error: DNSError, using random: inout some RandomNumberGenerator) -> [Action] {
        phase = .pausing
        for root in reader.roots { known[root] = nil }
        defer { (isUp, failure) = (false, error) }
        return (failure == error ? [] : [.fail(error)]) + [.wake(after: backoff.pause(using: &random))]
    }
}
