// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Decides which request to send to etcd next, and which events to report. Reads the whole list once, then watches from
/// the list's revision, and recovers from failures. Pure; `EtcdSource` performs the actions.
struct EtcdState {
    enum Action: Equatable {
        /// Close the open connections. All further requests are for this server.
        case connect(server: Int)
        case authenticate
        case list(after: [UInt8]?, revision: Int64?, limit: Int)
        case watch(from: Int64)
        /// `contents` have changed.
        case changed
        case tell(SourceState)
        /// `contents` have everything that etcd has.
        case settled
        /// Check after this delay whether etcd still replies.
        case check(after: Duration)
        /// Call `retry` after this delay.
        case retry(after: Duration)
        case disconnect
    }

    private enum Phase {
        case idle, authenticating, listing, opening, watching, pausing, stopped
    }

    private static let longest = Duration.seconds(60)
    /// The time after which a watch that is still active counts as a success.
    private static let standing = Duration.seconds(10)

    private let list: EtcdList
    private let limits: EtcdLimits
    private var phase = Phase.idle
    private var server = 0
    /// The number of servers that have failed since the last successful watch.
    private var failures = 0
    private var hasToken = false
    /// Whether a new token was requested since the last successful watch. The new token is not assumed to have expired.
    private var hasRenewed = false
    /// Whether a watch has ended and was restarted immediately since the last successful watch. A second one is not
    /// restarted immediately, so that there is a backoff.
    private var hasResumed = false
    /// Whether the list was read again since the last successful watch. The next time fails with `historyLost`.
    private var hasRelisted = false
    private var told: SourceState?
    private var backoff = Backoff(shortest: .milliseconds(500), longest: Self.longest)

    private(set) var contents: ListContents
    /// The position of `contents` in the history; nil before the first list, and if the changes after it are lost.
    private var position: EtcdPosition?
    /// The list that is being read, and its position in the history.
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
        // All pages are read at the revision of the first one.
        let position = reading.position ?? part.position
        reading.position = position
        for pair in part.pairs { reading.contents.put(pair) }
        if part.hasMore, !reading.contents.isFull, let last = part.pairs.last {
            return [.list(after: last.key, revision: position.revision, limit: page)]
        }
        contents = reading.contents
        contents.isCut = part.hasMore
        self.position = position
        phase = .opening
        return [.watch(from: position.revision + 1)]
    }

    mutating func heard(_ news: EtcdNews, using random: inout some RandomNumberGenerator) -> [Action] {
        guard phase == .opening || phase == .watching, let known = position else { return [] }
        if let end = news.end { return ended(end, compacted: news.compacted, using: &random) }
        if news.isCreated, phase == .opening {
            // Another cluster, or one that was restored from a backup, has other revisions.
            guard news.position.cluster == known.cluster, news.position.revision >= known.revision else {
                return relist(using: &random)
            }
            phase = .watching
            return tell(.up) + [.changed, .settled, .check(after: min(Self.standing, limits.checkEvery))]
        }
        for change in news.changes {
            switch change {
            case .put(let pair): contents.put(pair)
            case .deleted(let key): contents.delete(key: key)
            }
        }
        if !news.isFragment { position?.revision = max(known.revision, news.lastRevision ?? news.position.revision) }
        return news.changes.isEmpty ? [] : [.changed]
    }

    /// Handles a successful health check during a watch.
    mutating func lives() -> [Action] {
        guard phase == .watching else { return [] }
        failures = 0
        (hasRenewed, hasResumed, hasRelisted) = (false, false, false)
        backoff.reset()
        // Not in `heard`, because capacity may become free many times a second there.
        return contents.hasRoomAgain ? beginList() : [.check(after: limits.checkEvery)]
    }

    /// Handles a request for a health check: checks immediately whether etcd still replies.
    func doubted() -> [Action] {
        phase == .watching ? [.check(after: .zero)] : []
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
        // A token is valid only for the member that issued it.
        hasToken = false
        // `contents` were complete. If the connection has only ended, connect again before reporting a fault.
        if phase == .watching, error == .closed, !hasResumed {
            hasResumed = true
            return connect()
        }
        failures += 1
        server = (server + 1) % list.servers.count
        if failures < list.servers.count, !error.isFinal { return connect() }
        failures = 0
        phase = .pausing
        let pause = error.isFinal ? Self.longest : backoff.pause(using: &random)
        return [.disconnect] + tell(.down(error.fault(of: list))) + [.retry(after: pause)]
    }

    private mutating func ended(
        _ reason: String,
        compacted: Int64?,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        if compacted != nil { return relist(using: &random) }
        return failed(.refused(code: 2, message: reason), using: &random)
    }

    /// Reads the list again, because its revision is no longer valid. If that has already happened since the last
    /// successful watch, fails with `historyLost`.
    private mutating func relist(using random: inout some RandomNumberGenerator) -> [Action] {
        position = nil
        guard hasRelisted else {
            hasRelisted = true
            return beginList()
        }
        return failed(.historyLost, using: &random)
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

/// The limits of the resources that one list may use, and the timeouts.
package struct EtcdLimits: Sendable, Hashable {
    /// The number of entries that are kept. Further ones are only counted.
    package var entries = 4_096
    /// The number of keys in one request; fewer if their values are large.
    package var page = 256
    /// The length of one entry's value.
    package var valueBytes = 4_096
    /// The length of one reply, or of one watch response. etcd's own limit of a request is 1.5 MiB, which Base64
    /// makes 2 MiB.
    package var messageBytes = 8 << 20
    /// The length of an entry's TXT strings, each with a length byte (RFC 6763, section 6.2).
    package var textBytes = TXTStrings.maximumBytes
    /// The timeout for connecting, with TLS.
    package var connectTimeout = Duration.seconds(3)
    /// The timeout for a complete reply.
    package var replyTimeout = Duration.seconds(10)
    /// The interval of health checks during a watch, because etcd itself sends nothing for 10 minutes.
    package var checkEvery = Duration.seconds(30)
    /// The interval at which host names in entries are looked up again.
    package var lookUpEvery = Duration.seconds(300)

    /// The default limits.
    package init() {}
}
