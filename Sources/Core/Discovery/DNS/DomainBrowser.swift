// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
internal import Locks
package import NIOCore

/// Finds the service instances of one domain through DNS servers, and asks again when their records expire.
package actor DomainBrowser: SightingSource {
    package nonisolated let name: SourceName
    private let servers: DNSServers
    private let loop: any EventLoop
    private let client: DNSClient
    private nonisolated let stream = SightingStream()
    private nonisolated let found = Lock(InstanceFindings())

    private var state: DomainState
    private var random = SystemRandomNumberGenerator()
    private var serversOfRound: [AddressAndPort] = []
    private var timer: Scheduled<Void>?
    private let began = NIODeadline.now()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - domain: for example `example.org`.
    ///   - types: service types such as `_http._tcp`; one that is no domain name is left out.
    ///   - policy: which addresses its records may lead to.
    package init(
        domain: DomainName,
        types: [String],
        servers: DNSServers,
        policy: NetworkPolicy,
        limits: DomainLimits = DomainLimits(),
        loop: any EventLoop
    ) {
        name = .dns(domain: "\(domain)")
        self.servers = servers
        self.loop = loop
        client = DNSClient(loop: loop)
        state = DomainState(
            InstanceReader(
                domain: domain,
                types: types.compactMap { DomainName($0) },
                source: name,
                policy: policy,
                limits: limits
            ),
            limits: limits
        )
    }

    package nonisolated func events() -> SightingStream {
        stream.whenCancelled { [weak self] in self?.leave() }
        run { browser in
            browser.startRound { $0.start(at: $1, using: &$2) }
        }
        return stream
    }

    package nonisolated func refresh(_ instance: ServiceInstance) {
        run { $0.perform($0.state.refresh(instance, at: $0.now)) }
    }

    package nonisolated func resend() {
        run { browser in
            for event in browser.state.sightedEvents { browser.stream.yield(event) }
        }
    }

    package nonisolated func stop() {
        stream.finish()
        leave()
    }

    /// The parts of the domain that are ignored; usually none.
    package nonisolated var omissions: [SourceOmission] { found.withLock { $0.omissions } }

    private nonisolated func leave() {
        run { browser in
            browser.state.stop()
            browser.timer?.cancel()
            browser.timer = nil
        }
    }

    private nonisolated func run(_ body: @escaping @Sendable (isolated DomainBrowser) -> Void) {
        loop.execute(for: self, body)
    }

    private func startRound(
        _ begin: (inout DomainState, Duration, inout SystemRandomNumberGenerator) -> [DomainState.Action]
    ) {
        serversOfRound = servers.list
        perform(begin(&state, now, &random))
    }

    private var now: Duration { Duration(NIODeadline.now() - began) }

    private func perform(_ actions: [DomainState.Action]) {
        for action in actions {
            switch action {
            case .ask(let question): ask(question)
            case .tell(let event): stream.yield(event)
            case .fail(let error):
                stream.yield(.source(.down(error.fault(asked: serversOfRound, from: servers))))
            case .wake(let pause):
                let findings = state.findings
                found.withLock { $0 = findings }
                timer?.cancel()
                timer = loop.scheduleTask(in: TimeAmount(pause), for: self) { browser in
                    browser.startRound { $0.woke(at: $1, using: &$2) }
                }
            }
        }
    }

    private func ask(_ question: DNSQuestion) {
        client.ask(question, of: serversOfRound).whenComplete { result in
            let result = result.mapError { $0 as? DNSError ?? .silence }
            self.loop.reenter(self) { browser in
                browser.perform(browser.state.answered(question, result, at: browser.now, using: &browser.random))
            }
        }
    }
}

/// The limits of the resources that one domain may use.
package struct DomainLimits: Sendable, Hashable {
    /// The number of instances of each type that are looked up. Further ones are only counted.
    package var instancesPerType = 2_048
    /// The number of concurrent queries.
    package var questionsAtOnce = 16
    /// The number of bytes of a TXT record that are kept, each string with its length byte.
    package var textBytes = TXTStrings.maximumBytes
    /// The minimum time to live; shorter ones count as this. It is also the minimum interval between two rounds.
    package var shortestTTL = Duration.seconds(10)
    /// A refresh does not repeat queries that were made less than this ago.
    package var freshness = Duration.seconds(5)
    /// The maximum time to live; longer ones count as this.
    package var longestTTL = Duration.seconds(3_600)

    /// The default limits.
    package init() {}
}
