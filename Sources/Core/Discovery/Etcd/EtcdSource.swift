// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
internal import Locks
package import NIOCore
package import NIOPosix
internal import Platform

/// Reports the servers in a shared list that is kept in etcd, and each change when etcd sends it.
package actor EtcdSource: SightingSource {
    /// The interval within which changes are emitted together.
    private static let emitInterval = TimeAmount.milliseconds(50)
    /// The interval within which requests for a health check are merged.
    private static let doubting = TimeAmount.seconds(5)

    /// The source's name in sightings.
    package nonisolated let name: SourceName
    private let list: EtcdList
    private let limits: EtcdLimits
    private let loop: any EventLoop
    private let pool: NIOThreadPool
    private let lookUps: NIOThreadPool
    private nonisolated let stream = SightingStream()
    private nonisolated let leftOut = Lock<[SourceOmission]>([])

    private var state: EtcdState
    private var random = SystemRandomNumberGenerator()
    private var client: EtcdClient
    /// The number of the current attempt. Late answers of an abandoned connection have the number of an earlier
    /// attempt.
    private var attempt = 0
    private var watch: (any Channel)?
    /// The number of the current watch. Late responses of an abandoned watch have an earlier number.
    private var watchNumber = 0
    private var timer: Scheduled<Void>?
    private var doubtedAt: NIODeadline?

    private var publication: ListPublication
    private var emitTimer: Scheduled<Void>?
    private var lookUpTimer: Scheduled<Void>?

    /// The event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - pool: the threads for blocking work to reach etcd: the look-up of its name, and reading of the password file
    ///     and the files for TLS.
    ///   - lookUps: the threads that look up the host names of entries. There are many, and each may take long.
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
        publication = ListPublication(of: list)
        client = Self.client(of: list, server: 0, limits, loop, pool)
    }

    /// Starts the source, and returns the stream of its events.
    package nonisolated func events() -> SightingStream {
        stream.whenCancelled { [weak self] in self?.leave() }
        run { $0.perform($0.state.start()) }
        return stream
    }

    /// Looks up the host name of the entry again, and checks whether etcd still replies. etcd sends changes of entries
    /// without a request.
    package nonisolated func refresh(_ instance: ServiceInstance) {
        run { source in
            guard instance.domain == source.list.name,
                let entry = source.state.contents.entries[instance.nameBytes]
            else { return }
            if case .name(let host) = entry.url.host { source.perform(source.publication.refresh(host)) }
            guard source.doubtedAt.map({ $0 + Self.doubting < .now() }) ?? true else { return }
            source.doubtedAt = .now()
            source.perform(source.state.doubted())
        }
    }

    /// Sends the current sightings again.
    package nonisolated func resend() {
        run { $0.emit($0.publication.currentEvents) }
    }

    /// Stops the source and ends the stream. Returns immediately.
    package nonisolated func stop() {
        stream.finish()
        leave()
    }

    /// The entries of the list that are left out; usually none.
    package nonisolated var omissions: [SourceOmission] { leftOut.withLock { $0 } }

    private nonisolated func leave() {
        run { source in
            source.publication.stop()
            source.perform(source.state.stop())
            source.lookUpTimer?.cancel()
            source.emitTimer?.cancel()
        }
    }

    private nonisolated func run(_ body: @escaping @Sendable (isolated EtcdSource) -> Void) {
        loop.execute(for: self, body)
    }

    // MARK: The list

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
                // Stops the timer of a watch that had only begun. The list has its own timeout.
                timer?.cancel()
                let all = EtcdRange(below: list.prefix)
                let range = after.map { all.after($0) } ?? all
                ask(.list(range, revision: revision, limit: limit)) { [limits] body throws(EtcdError) in
                    let page = try EtcdReply.page(body, of: range, limits: limits)
                    return { $0.listed(page) }
                }
            case .watch(let revision): startWatch(from: revision)
            case .changed: perform(publication.changed(state.contents))
            case .tell(let state): perform(publication.became(state))
            case .settled: perform(publication.publish(state.contents))
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

    /// Starts the only timer: for a retry, for a health check, or for the beginning of a watch.
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

    /// Sends a request and applies the reply to the state.
    ///
    /// - Parameter read: parses the reply, and returns the call of the state for it.
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
        // A watch begins with a response. After that, etcd sends nothing without a change, and `checkLater` replaces
        // this timer.
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

    // MARK: The sightings

    private func perform(_ actions: [ListPublication.Action]) {
        for action in actions {
            switch action {
            case .emit(let events): emit(events)
            case .report(let omissions): leftOut.withLock { $0 = omissions }
            case .lookUp(let name): lookUp(name)
            case .lookUpLater:
                let pause = TimeAmount(limits.lookUpEvery * Double.random(in: 0.8...1))
                lookUpTimer = loop.scheduleTask(in: pause, for: self) { $0.perform($0.publication.lookUpsDue()) }
            case .wait:
                emitTimer = loop.scheduleTask(in: Self.emitInterval, for: self) { source in
                    source.perform(source.publication.waited(source.state.contents))
                }
            }
        }
    }

    private func emit(_ events: [SightingEvent]) {
        for event in events { stream.yield(event) }
    }

    private func lookUp(_ name: String) {
        let look = lookUps.runIfActive(eventLoop: loop) {
            try HostLookUp.socketAddresses(of: name).compactMap { $0.withUnsafeBytes { IPAddress(socketAddress: $0) } }
        }
        look.whenComplete { result in
            self.loop.reenter(self) { source in
                let found = try? result.get()
                source.perform(source.publication.lookedUp(name, found, in: source.state.contents))
            }
        }
    }
}
