// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
package import NIOCore
package import NIOPosix
internal import Platform
internal import Synchronization

/// Reports the servers in a shared list that is kept in etcd, and each change when etcd sends it.
package actor EtcdSource: SightingSource {
    /// Changes that come faster are reported together.
    private static let telling = TimeAmount.milliseconds(50)
    /// Doubts that come faster are one.
    private static let doubting = TimeAmount.seconds(5)

    package nonisolated let name: SourceName
    let list: EtcdList
    let limits: EtcdLimits
    let loop: any EventLoop
    let pool: NIOThreadPool
    let lookUps: NIOThreadPool
    nonisolated let stream = SightingStream()
    nonisolated let leftOut = Mutex<[SourceOmission]>([])

    private var state: EtcdState
    private var random = SystemRandomNumberGenerator()
    private var client: EtcdClient
    /// Late answers of a connection that was given up carry the number of an earlier attempt.
    private var attempt = 0
    private var watch: (any Channel)?
    /// The same for news of a watch that was given up.
    private var watchNumber = 0
    private var timer: Scheduled<Void>?

    let reader: ListReader
    var hosts = HostBook()
    var told = SightingSet()
    private var isUp = false
    /// Since the source is up again, not everything has been reported.
    var owesAll = false
    private var doubtedAt: NIODeadline?
    var lookUpTimer: Scheduled<Void>?
    private var tellingTimer: Scheduled<Void>?
    private var owesChanges = false
    private(set) var isStopped = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - pool: for what may block on the way to etcd: the look-up of its name, the files of a password and for TLS.
    ///   - lookUps: for the host names of entries, which are many and may each take long.
    package init(
        _ list: EtcdList,
        limits: EtcdLimits = EtcdLimits(),
        loop: any EventLoop,
        pool: NIOThreadPool,
        lookUps: NIOThreadPool
    ) {
        precondition(!list.servers.isEmpty, "a list without a server")
        self.list = list
        self.limits = limits
        self.loop = loop
        self.pool = pool
        self.lookUps = lookUps
        name = list.source
        state = EtcdState(list, limits: limits)
        reader = ListReader(list: list)
        client = Self.client(of: list, server: 0, limits, loop, pool)
    }

    package nonisolated func events() -> SightingStream {
        stream.whenCancelled { [weak self] in self?.leave() }
        run { $0.perform($0.state.start()) }
        return stream
    }

    /// etcd sends changes on its own, if it is alive; the host names of entries have to be looked up.
    package nonisolated func refresh(_ instance: ServiceInstance) {
        run { source in
            guard instance.domain == source.list.name,
                let entry = source.contents.entries[instance.nameBytes]
            else { return }
            if case .name(let host) = entry.url.host {
                source.hosts.renew(host)
                source.lookUp()
            }
            guard source.doubtedAt.map({ $0 + Self.doubting < .now() }) ?? true else { return }
            source.doubtedAt = .now()
            source.perform(source.state.doubted())
        }
    }

    package nonisolated func retell() {
        run { source in
            guard source.isUp, !source.owesAll else { return }
            for event in source.told.retelling { source.stream.yield(event) }
        }
    }

    package nonisolated func stop() {
        stream.finish()
        leave()
    }

    /// What of the list is not taken; none in the usual case.
    package nonisolated var omissions: [SourceOmission] { leftOut.withLock { $0 } }

    private nonisolated func leave() {
        run { source in
            source.isStopped = true
            source.perform(source.state.stop())
            source.lookUpTimer?.cancel()
            source.tellingTimer?.cancel()
        }
    }

    nonisolated func run(_ body: @escaping @Sendable (isolated EtcdSource) -> Void) {
        loop.execute(for: self, body)
    }

    var contents: ListContents { state.contents }
}

extension EtcdSource {
    private func perform(_ actions: [EtcdState.Action]) {
        for action in actions {
            switch action {
            case .connect(let server):
                disconnect()
                let token = client.token
                client = Self.client(of: list, server: server, limits, loop, pool)
                client.token = token
            case .disconnect: disconnect()
            case .authenticate: authenticate()
            case .list(let after, let revision, let limit):
                closeWatch()
                // That of a watch which had only begun: the list has its own time.
                timer?.cancel()
                let all = EtcdRange(below: list.prefix)
                let range = after.map { all.after($0) } ?? all
                ask(.list(range, revision: revision, limit: limit)) { [limits] body throws(EtcdError) in
                    let page = try EtcdReply.page(body, of: range, limits: limits)
                    return { $0.listed(page) }
                }
            case .watch(let revision): startWatch(from: revision)
            case .changed: tellSoon()
            case .tell(let state):
                isUp = state == .up
                owesAll = isUp
                stream.yield(.source(state))
            case .settled: tellNow()
            case .check(let pause):
                schedule(after: pause) { source in
                    source.ask(.check(EtcdRange(below: source.list.prefix))) { _ in { $0.lives() } }
                }
            case .retry(let pause):
                schedule(after: pause) { $0.perform($0.state.retry()) }
            }
        }
    }

    private static func client(
        of list: EtcdList,
        server: Int,
        _ limits: EtcdLimits,
        _ loop: any EventLoop,
        _ pool: NIOThreadPool
    ) -> EtcdClient {
        EtcdClient(
            connector: EtcdConnector(
                server: list.servers[server],
                tls: list.tls,
                limits: limits,
                loop: loop,
                pool: pool
            )
        )
    }

    /// There is one timer: to try again, to ask whether etcd lives, or for the beginning of a watch.
    private func schedule(after pause: Duration, _ body: @escaping @Sendable (isolated EtcdSource) -> Void) {
        timer?.cancel()
        timer = loop.scheduleTask(in: TimeAmount(pause), for: self, body)
    }

    private func disconnect() {
        attempt += 1
        timer?.cancel()
        timer = nil
        closeWatch()
    }

    private func closeWatch() {
        watchNumber += 1
        watch?.close(promise: nil)
        watch = nil
    }

    private func failed(_ error: any Error) {
        perform(state.failed(EtcdConnector.error(for: error), using: &random))
    }

    private func authenticate() {
        guard let user = list.user else { return }
        client.token = nil
        let attempt = attempt
        client.authenticate(user).whenComplete { result in
            self.loop.reenter(self) { source in
                guard source.attempt == attempt else { return }
                switch result {
                case .success(let token):
                    source.client.token = token
                    source.perform(source.state.authenticated())
                case .failure(let error): source.failed(error)
                }
            }
        }
    }

    /// - Parameter read: returns the call of the state for this reply.
    private func ask(
        _ request: EtcdRequest,
        _ read: @escaping @Sendable ([UInt8]) throws(EtcdError) -> (inout EtcdState) -> [EtcdState.Action]
    ) {
        let attempt = attempt
        client.send(request).whenComplete { result in
            self.loop.reenter(self) { source in
                guard source.attempt == attempt else { return }
                do {
                    let tell = try read(result.get())
                    source.perform(tell(&source.state))
                } catch {
                    source.failed(error)
                }
            }
        }
    }

    private func startWatch(from revision: Int64) {
        closeWatch()
        // A watch begins with an answer; from then on silence is the rule, and `checkLater` takes this timer's place.
        schedule(after: limits.replyTimeout) { $0.failed(EtcdError.silent) }
        let number = watchNumber
        let opening = client.watch(.watch(EtcdRange(below: list.prefix), from: revision)) { report in
            self.loop.reenter(self) { source in
                guard source.watchNumber == number else { return }
                switch report {
                case .success(let news): source.perform(source.state.heard(news, using: &source.random))
                case .failure(let error): source.failed(error)
                }
            }
        }
        opening.whenComplete { result in
            self.loop.reenter(self) { source in
                switch result {
                case .success(let channel) where source.watchNumber == number: source.watch = channel
                case .success(let channel): channel.close(promise: nil)
                case .failure(let error):
                    if source.watchNumber == number { source.failed(error) }
                }
            }
        }
    }

    func tellSoon() {
        guard tellingTimer == nil else {
            owesChanges = true
            return
        }
        tellNow()
        tellingTimer = loop.scheduleTask(in: Self.telling, for: self) { source in
            source.tellingTimer = nil
            guard source.owesChanges else { return }
            source.owesChanges = false
            source.tellSoon()
        }
    }
}

/// From the list's contents to the events and status.
extension EtcdSource {
    func tellNow() {
        guard !isStopped else { return }
        hosts.need(reader.names(in: contents))
        lookUp()
        let (sightings, unplaced) = reader.read(contents, hosts)
        for event in told.replace(with: sightings) { stream.yield(event) }
        var left = contents.omissions
        if unplaced > 0, hosts.isComplete { left.append(.entriesUnplaced(count: unplaced)) }
        leftOut.withLock { [left] in $0 = left }
        settle()
    }

    /// Names that were never looked up could still lead to what is there.
    private func settle() {
        guard owesAll, hosts.isComplete else { return }
        owesAll = false
        for event in told.retelling { stream.yield(event) }
        stream.yield(.settled)
    }

    func lookUp() {
        guard !isStopped else { return }
        guard let name = hosts.next() else { return lookUpLater() }
        let look = lookUps.runIfActive(eventLoop: loop) {
            try HostLookUp.socketAddresses(of: name).compactMap { $0.withUnsafeBytes { IPAddress(socketAddress: $0) } }
        }
        look.whenComplete { result in
            self.loop.reenter(self) { source in
                let isNews = source.hosts.found(try? result.get(), for: name)
                source.lookUp()
                if isNews { source.tellSoon() }
            }
        }
    }

    private func lookUpLater() {
        guard lookUpTimer == nil, !hosts.isEmpty else { return }
        let pause = TimeAmount(limits.lookUpEvery * Double.random(in: 0.8...1))
        lookUpTimer = loop.scheduleTask(in: pause, for: self) { source in
            source.lookUpTimer = nil
            source.hosts.forgetAge()
            source.lookUp()
        }
    }
}

/// A cache of the addresses of the host names in entries, which are looked up one at a time.
struct HostBook {
    private var addresses: [String: [IPAddress]] = [:]
    /// The names to look up, in order.
    private var waiting: [String] = []
    private var needed: Set<String> = []
    private var isBusy = false

    /// Whether every needed name was looked up once.
    var isComplete: Bool { waiting.isEmpty && !isBusy }

    /// - Returns: an empty array if the name has no addresses, or was not looked up yet.
    func addresses(of name: String) -> [IPAddress] { addresses[name] ?? [] }

    /// Sets the names that are needed from now on.
    mutating func need(_ names: Set<String>) {
        let new = names.subtracting(needed)
        needed = names
        addresses = addresses.filter { names.contains($0.key) }
        waiting = waiting.filter { names.contains($0) } + new.sorted()
    }

    /// Queues all names for another look-up. Until then their old addresses count.
    mutating func forgetAge() {
        waiting = needed.sorted()
    }

    /// Queues one name for another look-up, before all others.
    mutating func renew(_ name: String) {
        guard needed.contains(name), !waiting.contains(name) else { return }
        waiting.insert(name, at: 0)
    }

    var isEmpty: Bool { needed.isEmpty }

    /// - Returns: the name to look up now. `found` must be called for it.
    mutating func next() -> String? {
        guard !isBusy, !waiting.isEmpty else { return nil }
        isBusy = true
        return waiting.removeFirst()
    }

    /// - Parameter list: nil if the look-up failed. The known addresses stay then.
    /// - Returns: whether there is something to report: other addresses, in any order, or the end of the queue.
    mutating func found(_ list: [IPAddress]?, for name: String) -> Bool {
        isBusy = false
        guard let list, needed.contains(name), Set(list) != Set(addresses(of: name)) else { return isComplete }
        addresses[name] = list
        return true
    }
}
