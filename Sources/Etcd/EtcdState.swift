// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Decides what to ask of etcd, and what to say about it: list once, then watch from there, whatever happens between.
struct EtcdState {
    enum Action: Equatable {
        /// Ends what is under way; all that comes next goes to this server.
        case connect(server: Int)
        case authenticate
        case list(after: [UInt8]?, revision: Int64?, limit: Int)
        case watch(from: Int64)
        /// `contents` are others now.
        case changed
        case tell(SourceState)
        /// All that etcd knows is in `contents`.
        case settled
        /// Ask after this pause whether etcd lives.
        case checkLater
        /// Call `retry` after this pause.
        case retry(after: Duration)
        case disconnect
    }

    private enum Phase {
        case idle, authenticating, listing, opening, watching, pausing, stopped
    }

    private static let longest = Duration.seconds(60)

    private let list: EtcdList
    private let limits: EtcdLimits
    private var phase = Phase.idle
    private var server = 0
    /// Servers that have failed since one has worked.
    private var failures = 0
    private var hasToken = false
    /// A new token has been asked for since a watch was on: the next one is not believed to have expired.
    private var hasRenewed = false
    private var told: SourceState?
    private var backoff = Backoff(shortest: .milliseconds(500), longest: Self.longest)

    private(set) var contents: ListContents
    /// Up to where `contents` are true; nil before the first list and when the way from there to now is lost.
    private var position: EtcdPosition?
    /// The list that is being read, and where it stands.
    private var reading: (contents: ListContents, position: EtcdPosition?)
    private var page: Int

    init(_ list: EtcdList, limits: EtcdLimits) {
        self.list = list
        self.limits = limits
        contents = ListContents(prefix: list.prefix, limits: limits)
        reading = (contents, nil)
        page = limits.page
    }

    mutating func start() -> [Action] {
        phase == .idle ? connect() : []
    }

    mutating func retry() -> [Action] {
        phase == .pausing ? connect() : []
    }

    mutating func stop() -> [Action] {
        phase = .stopped
        return [.disconnect]
    }

    mutating func authenticated() -> [Action] {
        guard phase == .authenticating else { return [] }
        hasToken = true
        return proceed()
    }

    mutating func listed(_ part: EtcdPage) -> [Action] {
        guard phase == .listing else { return [] }
        // All pages are of the state that the first one is of.
        let position = reading.position ?? part.position
        reading.position = position
        for pair in part.pairs { reading.contents.put(pair) }
        if part.hasMore, !reading.contents.isFull, let last = part.pairs.last {
            return [.list(after: last.key, revision: position.revision, limit: page)]
        }
        contents = reading.contents
        self.position = position
        phase = .opening
        return [.watch(from: position.revision + 1)]
    }

    mutating func heard(_ news: EtcdNews, using random: inout some RandomNumberGenerator) -> [Action] {
        guard phase == .opening || phase == .watching, let known = position else { return [] }
        if let end = news.end { return ended(end, compacted: news.compacted, using: &random) }
        if news.isCreated {
            // Another cluster, or one that was put back: its revisions mean something else.
            guard news.position.cluster == known.cluster, news.position.revision >= known.revision else {
                return beginList()
            }
            phase = .watching
            failures = 0
            hasRenewed = false
            backoff.reset()
            return tell(.up) + [.changed, .settled, .checkLater]
        }
        for change in news.changes {
            switch change {
            case .put(let pair): contents.put(pair)
            case .deleted(let key): contents.delete(key: key)
            }
        }
        if !news.isFragment { position?.revision = max(known.revision, news.position.revision) }
        return news.changes.isEmpty ? [] : [.changed]
    }

    /// etcd has answered the question whether it lives.
    mutating func lives() -> [Action] {
        phase == .watching ? [.checkLater] : []
    }

    mutating func failed(_ error: EtcdError, using random: inout some RandomNumberGenerator) -> [Action] {
        switch phase {
        case .idle, .pausing, .stopped: return []
        case .authenticating, .listing, .opening, .watching: break
        }
        if error.wantsNewToken, hasToken, !hasRenewed {
            hasToken = false
            hasRenewed = true
            return connect()
        }
        if case .tooLarge = error, phase == .listing, page > 1 {
            page /= 2
            return beginList()
        }
        // A token is the member's that gave it.
        hasToken = false
        // What was read before was complete: a connection that merely ended is made again before anything is said.
        if phase == .watching, error == .closed { return connect() }
        failures += 1
        server = (server + 1) % list.servers.count
        if failures < list.servers.count, !error.isFinal { return connect() }
        failures = 0
        phase = .pausing
        let pause = error.isFinal ? Self.longest : backoff.pause(using: &random)
        let reason = error.reason(user: list.user?.name, prefix: list.prefix)
        return [.disconnect] + tell(.down(reason: reason)) + [.retry(after: pause)]
    }

    private mutating func ended(
        _ reason: String,
        compacted: Int64?,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        if compacted != nil { return beginList() }
        return failed(.refused(code: 2, message: reason), using: &random)
    }

    private mutating func connect() -> [Action] {
        if list.user != nil, !hasToken {
            phase = .authenticating
            return [.connect(server: server), .authenticate]
        }
        return [.connect(server: server)] + proceed()
    }

    private mutating func proceed() -> [Action] {
        guard let position else { return beginList() }
        phase = .opening
        return [.watch(from: position.revision + 1)]
    }

    private mutating func beginList() -> [Action] {
        phase = .listing
        position = nil
        reading = (ListContents(prefix: list.prefix, limits: limits), nil)
        return [.list(after: nil, revision: nil, limit: page)]
    }

    private mutating func tell(_ state: SourceState) -> [Action] {
        guard told != state else { return [] }
        told = state
        return [.tell(state)]
    }
}
