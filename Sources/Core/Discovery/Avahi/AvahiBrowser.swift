// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Locks
package import NIOCore

/// Finds service instances through avahi-daemon, also after avahi-daemon or the bus has restarted.
///
/// It runs on Avahi's thread, which may hang for seconds, so no other code awaits it. Members for other code are
/// `nonisolated` and return immediately.
package actor AvahiBrowser: SightingSource, AvahiUser {
    /// The source's name in sightings.
    package nonisolated let name = SourceName.avahi
    private let types: [String]
    private let limits: DiscoveryLimits
    nonisolated let loop: AvahiLoop
    private nonisolated let stream = SightingStream()
    private nonisolated let counted = Lock(DiscoveryCounters())
    private nonisolated let lifeChecks = Lock(LifeChecks())

    /// The connections. Those after the first have resolvers only.
    var link = AvahiLink()
    private var browse: BrowseState
    private var browsers: [String: TypeBrowser] = [:]
    private var resolvers = ResolverTable<Resolver>()
    private var queue = ResolverQueue()
    private var queries = HostNameQueries<HostNameResolver, EventLoopPromise<[IPAddress]?>>()
    /// Whether the next round of Avahi's loop makes a resolver.
    private var isResolving = false
    private let network = LinkWatch()
    private var expiryTimer: LoopTimer?
    private static let checkInterval = Duration.seconds(1)
    private var checkedAt: SuspendingClock.Instant?

    /// Avahi's thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter types: service types such as `_http._tcp`, or `ServiceTypePattern.all`. One that Avahi refuses keeps the
    ///   source `down`.
    package init(types: [String], limits: DiscoveryLimits = DiscoveryLimits(), on loop: AvahiLoop) {
        self.types = types
        self.limits = limits
        self.loop = loop
        browse = BrowseState(types: types, limit: limits.instancesPerType)
    }

    /// Starts the source, and returns the stream of its events.
    package nonisolated func events() -> SightingStream {
        stream.whenCancelled { [weak self] in self?.leave() }
        run {
            $0.watchLinks()
            $0.startLink()
        }
        return stream
    }

    /// Stops the source and ends the stream. Returns immediately.
    package nonisolated func stop() {
        stream.finish()
        leave()
    }

    /// The counters, as of the last time that Avahi's thread was not blocked.
    package nonisolated var counters: DiscoveryCounters { counted.withLock { $0 } }

    /// Checks whether avahi-daemon still responds, because one that hangs looks like one that has nothing to report. If
    /// it does not respond within two seconds, the source is reported as `down`. If the source is down, it reconnects
    /// immediately.
    ///
    /// - Parameter done: called on Avahi's thread, which may hang for long.
    package nonisolated func checkLife(done: @escaping @Sendable () -> Void = {}) {
        run { browser in
            if browser.checkedAt.map({ SuspendingClock.now - $0 >= Self.checkInterval }) ?? true {
                browser.checkedAt = .now
                browser.askForLife()
            }
            done()
        }
    }

    /// Like `checkLife`, but waits for the result. While an answer is overdue, further calls return false immediately.
    ///
    /// - Returns: whether the check has ended within `patience`.
    package nonisolated func checkLife(within patience: Duration, on eventLoop: any EventLoop) async -> Bool {
        let number = lifeChecks.withLock { $0.isOverdue ? nil : $0.ask() }
        guard let number else { return false }
        let found = eventLoop.makePromise(of: Bool.self)
        let timer = eventLoop.scheduleTask(in: TimeAmount(patience)) { [weak self] in
            self?.lifeChecks.withLock { $0.gaveUp(number) }
            found.succeed(false)
        }
        checkLife { [weak self] in
            self?.lifeChecks.withLock { $0.answered(number) }
            found.succeed(true)
        }
        defer { timer.cancel() }
        return (try? await found.futureResult.get()) ?? false
    }

    /// The shortage of avahi-daemon's cache that makes the list incomplete; nil if there is none.
    package nonisolated var shortage: CacheShortage? {
        let counters = counters
        return CacheShortage(
            instances: counters.namedOnFullestLink,
            silent: counters.silent,
            limit: AvahiConfiguration.current().cacheEntries
        )
    }

    private nonisolated func leave() {
        run {
            $0.network.end()
            $0.stopLink()
        }
    }
}

extension AvahiBrowser {
    private nonisolated func count(_ change: (inout DiscoveryCounters) -> Void) {
        counted.withLock { change(&$0) }
    }

    func tell(_ event: SightingEvent) {
        count { $0.events += 1 }
        if event == .settled { link.succeeded() }
        stream.yield(event)
    }

    func tell(_ state: SourceState) { tell(.source(state)) }

    func begin() {
        browse = BrowseState(types: types, limit: limits.instancesPerType)
        for type in types { startBrowser(of: type) }
    }

    func hostName(isSettled: Bool) {}

    func lostConnections() {
        browsers = [:]
        resolvers.removeAll()
        queue = ResolverQueue()
        for reply in queries.endAll() { reply.succeed(nil) }
        if let expiryTimer { loop.cancel(expiryTimer) }
        expiryTimer = nil
        count {
            $0.failures += 1
            $0.connections = 0
            $0.resolvers = 0
        }
    }
}

/// The events on one connection: browsers report the names of instances, and resolvers report their addresses.
extension AvahiBrowser {
    private func startBrowser(of type: String) {
        guard let connection = link.connections.first else { return }
        count { $0.connections = link.connections.count }
        do {
            browsers.updateValue(try makeBrowser(of: type, on: connection), forKey: type)?.free()
        } catch {
            fail(error)
        }
    }

    private func makeBrowser(of type: String, on connection: AvahiConnection) throws(DiscoveryError) -> TypeBrowser {
        guard type == ServiceTypePattern.all else {
            return try TypeBrowser(type, on: connection) { report in
                self.reenter { $0.browser(of: type, reports: report) }
            }
        }
        return try TypeBrowser(ofTypesOn: connection) { report in
            self.reenter { $0.typesBrowser(reports: report) }
        }
    }

    private func typesBrowser(reports report: TypeBrowser.Report<(type: String, link: Link)>) {
        queue.reported()
        switch report {
        case .appeared(let found): perform(browse.appeared(type: found.type, on: found.link))
        case .disappeared(let gone): perform(browse.disappeared(type: gone.type, on: gone.link))
        case .allForNow: perform(browse.listed(type: ServiceTypePattern.all))
        case .failed(let error): fail(error)
        }
    }

    /// Makes new resolvers for all sightings of the instance, so that changes which the server announced while this
    /// machine could not receive them are known immediately. Also checks that avahi-daemon responds.
    package nonisolated func refresh(_ instance: ServiceInstance) {
        run {
            $0.askForLife()
            $0.perform($0.browse.refresh(instance))
        }
    }

    /// Sends the current sightings again.
    package nonisolated func resend() {
        run { browser in
            // Without a connection, the state is that of the last connection.
            guard !browser.browsers.isEmpty else { return }
            for event in browser.browse.sightedEvents { browser.tell(event) }
        }
    }

    private func browser(of type: String, reports report: TypeBrowser.Report<Sighting.Key>) {
        queue.reported()
        switch report {
        case .appeared(let key):
            look()
            perform(browse.appeared(key.sharing(type: type), of: type))
        case .disappeared(let key):
            look()
            perform(browse.disappeared(key, of: type, link: network.state(of: key), now: .now))
        case .allForNow: perform(browse.listed(type: type))
        case .failed(let error): fail(error)
        }
    }

    private func resolver(_ number: Int, of key: Sighting.Key, answered resolution: Resolution?) {
        queue.reported()
        var isFresh = false
        switch resolvers.answered(number, for: key) {
        case .outdated: return
        case .current: break
        case .fresh(let replaced):
            isFresh = true
            replaced?.free()
            countResolvers()
        }
        if resolution == nil { look() }
        let link = network.state(of: key)
        perform(browse.resolved(key, as: resolution, isFresh: isFresh, link: link, now: .now))
    }

    private func perform(_ actions: [BrowseState.Action]) {
        for action in actions {
            switch action {
            case .resolve(let key): queue.append(key)
            case .release(let key): release(key)
            case .resolveAgain(let key): resolveAgain(key)
            case .tell(let event): tell(event)
            // Deferred, because this may be called from the browser that must be freed.
            case .browse(let type): run { $0.startBrowser(of: type) }
            case .stopBrowsing(let type): run { $0.browsers.removeValue(forKey: type)?.free() }
            case .count(.dropped): count { $0.instancesDropped += 1 }
            case .count(.typeDropped): count { $0.typesDropped += 1 }
            case .count(.truncated): count { $0.recordsTruncated += 1 }
            case .count(.unanswered): count { $0.unanswered += 1 }
            }
        }
        count {
            $0.silent = browse.silentCount
            $0.namedOnFullestLink = browse.namedOnFullestLink
        }
        awaitExpiry()
        resolveNext()
    }

    /// Makes one resolver in each round of Avahi's loop. In between Avahi can deliver its reports, so that changes of
    /// known instances are not delayed by the calls for new ones.
    private func resolveNext() {
        guard !isResolving, !queue.isEmpty else { return }
        isResolving = true
        run { browser in
            browser.isResolving = false
            if let key = browser.queue.next() { browser.resolve(key) }
            browser.resolveNext()
        }
    }

    private func awaitExpiry() {
        guard expiryTimer == nil, let due = browse.nextExpiry else { return }
        expiryTimer = loop.schedule(after: SuspendingClock.now.duration(to: due)) {
            self.reenter { browser in
                browser.expiryTimer = nil
                let network = browser.network
                browser.perform(browser.browse.expire(now: .now) { network.isAway(Link(of: $0)) })
            }
        }
    }

    /// Starts to watch for links that go up or down without a report from Avahi.
    private func watchLinks() {
        network.begin(on: loop) {
            self.reenter { browser in
                // Rate limit: the kernel's messages wake the thread at most every 500 ms.
                browser.network.isReporting = false
                browser.loop.schedule(after: .milliseconds(500)) {
                    self.reenter { $0.network.isReporting = true }
                }
                browser.look()
            }
        }
    }

    private func look() {
        guard network.look() else { return }
        run { browser in
            let network = browser.network
            browser.perform(browser.browse.linksChanged(now: .now) { network.isAway($0) })
        }
    }

    private func resolve(_ key: Sighting.Key) {
        do {
            resolvers.insert(try makeResolver(key), for: key)
            countResolvers()
        } catch  where error.isRefusal {
            count { $0.instancesRefused += 1 }
            perform(browse.refused(key))
        } catch {
            fail(error)
        }
    }

    private func resolveAgain(_ key: Sighting.Key) {
        queue.expedite(key)
        guard resolvers.needsFresh(key) else { return }
        do {
            resolvers.insertFresh(try makeResolver(key), for: key)
            countResolvers()
        } catch {
            fail(error)
        }
    }

    private func makeResolver(_ key: Sighting.Key) throws(DiscoveryError) -> Resolver {
        let number = resolvers.makeNumber()
        let answer: Resolver.Report = { number, key, resolution in
            self.reenter { $0.resolver(number, of: key, answered: resolution) }
        }
        while let connection = link.connections.first(where: { hasRoom($0) }) {
            do {
                return try Resolver(number, of: key, on: connection, report: answer)
            } catch  where error.isClientFull {
                connection.refusedObject()
            }
        }
        return try Resolver(number, of: key, on: addConnection(), report: answer)
    }

    private func countResolvers() {
        count {
            $0.resolvers = resolvers.count
            $0.connections = link.connections.count
        }
    }

    /// Whether the connection can take another object. The browsers count as well; they are on the first connection.
    private func hasRoom(_ connection: AvahiConnection) -> Bool {
        let others = connection === link.connections.first ? browsers.count : 0
        return connection.hasCapacity(besides: others, limit: limits.objectsPerConnection)
    }

    private func release(_ key: Sighting.Key) {
        queue.remove(key)
        for resolver in resolvers.remove(key) { resolver.free() }
        countResolvers()
    }
}

extension Sighting.Key {
    /// The same key, with a type string whose memory all instances share.
    fileprivate func sharing(type: String) -> Self {
        guard instance.type.utf8.elementsEqual(type.utf8) else { return self }
        var key = self
        key.instance = ServiceInstance(nameBytes: instance.nameBytes, type: type, domain: instance.domain)
        return key
    }
}

extension AvahiBrowser {
    /// Returns the addresses that multicast DNS has for a host name now (RFC 6762, section 3): IPv4 first, one of each
    /// family.
    ///
    /// - Parameters:
    ///   - name: a name that ends in `.local`.
    ///   - patience: the time to wait for hosts to answer.
    /// - Returns: an empty array if no host answers to the name; nil if Avahi cannot be queried or does not respond.
    package nonisolated func addresses(
        of name: String,
        within patience: Duration,
        on eventLoop: any EventLoop
    ) async -> [IPAddress]? {
        let reply = eventLoop.makePromise(of: [IPAddress]?.self)
        // If Avahi's thread hangs, `finish` is not called, so this timer ends the query.
        let timer = eventLoop.scheduleTask(in: TimeAmount(patience + .seconds(1))) { reply.succeed(nil) }
        defer { timer.cancel() }
        run { $0.ask(for: name, within: patience, reply: reply) }
        return await withTaskCancellationHandler {
            (try? await reply.futureResult.get()) ?? nil
        } onCancel: {
            reply.succeed(nil)
        }
    }

    private func ask(for name: String, within patience: Duration, reply: EventLoopPromise<[IPAddress]?>) {
        guard queries.hasCapacity, link.isUsable,
            let connection = link.connections.first(where: { hasRoom($0) })
        else { return reply.succeed(nil) }
        let number = queries.begin(reply)
        do {
            for family in [AddressFamily.inet, .inet6] {
                let resolver = try HostNameResolver(name, family, on: connection) { address in
                    self.reenter { $0.query(number, answered: family, address) }
                }
                queries.add(resolver, to: number)
            }
        } catch {
            finish(number, isAnswered: false)
            if !error.isRefusal, !error.isClientFull { fail(error) }
            return
        }
        loop.schedule(after: patience) { self.reenter { $0.finish(number) } }
    }

    private func query(_ number: Int, answered family: AddressFamily, _ address: IPAddress?) {
        switch queries.answered(number, family, address) {
        case .wait: break
        case .waitBriefly:
            loop.schedule(after: HostNameAnswers.grace) { self.reenter { $0.finish(number) } }
        case .finish:
            // Deferred, because this is called from the resolver that must be freed.
            run { $0.finish(number) }
        }
    }

    private func finish(_ number: Int, isAnswered: Bool = true) {
        guard let query = queries.end(number) else { return }
        for resolver in query.resolvers { resolver.free() }
        query.reply.succeed(isAnswered ? query.answers.addresses : nil)
    }
}
