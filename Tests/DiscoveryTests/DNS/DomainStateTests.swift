// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Discovery

/// DNS as a table, and time as a number: no test waits.
@Suite("Queries and events of a domain")
struct DomainStateTests {
    private static let type = "_a._tcp"

    private var state: DomainState
    private var random = SeededRandom(seed: 1)
    private var now = Duration.zero
    /// The answers of the servers; a question without an entry gets no response.
    private var answers: [DNSQuestion: Result<DNSAnswer, DNSError>] = [:]
    /// The questions since the test last read them.
    private var asked: [DNSQuestion] = []
    private var told: [SightingEvent] = []
    private var failures: [DNSError] = []
    private var pause = Duration.zero

    init() throws {
        let reader = InstanceReader(
            domain: try #require(DomainName("d.org")),
            types: [try #require(DomainName(Self.type))],
            source: .dns(domain: "d.org"),
            policy: NetworkPolicy(),
            limits: Self.limits
        )
        state = DomainState(reader, limits: Self.limits)
    }

    private static let limits: DomainLimits = {
        var limits = DomainLimits()
        limits.instancesPerType = 20
        return limits
    }()

    private func question(_ name: String, _ kind: DNSQuestion.Kind) throws -> DNSQuestion {
        DNSQuestion(name: try #require(DomainName(name)), kind: kind)
    }

    private mutating func list(_ instances: [String], ttl: UInt32 = 100) throws {
        let names = try instances.map {
            DNSRecord.Content.pointer(try #require(DomainName("\($0).\(Self.type).d.org")))
        }
        answers[try question("\(Self.type).d.org", .pointer)] = .success(DNSAnswer(contents: names, ttl: ttl))
    }

    private mutating func place(_ instance: String, port: UInt16 = 7099, ttl: UInt32 = 100) throws {
        let target = try #require(DomainName("h.d.org"))
        let place = ServiceLocation(priority: 0, weight: 0, port: port, target: target)
        let name = "\(instance).\(Self.type).d.org"
        answers[try question(name, .service)] = .success(DNSAnswer(contents: [.service(place)], ttl: ttl))
        answers[try question(name, .text)] = .success(DNSAnswer(contents: [], ttl: ttl))
    }

    private mutating func address(_ text: String, ttl: UInt32 = 100) throws {
        let address = try #require(IPAddress(text))
        answers[try question("h.d.org", .address)] = .success(DNSAnswer(contents: [.address(address)], ttl: ttl))
        answers[try question("h.d.org", .address6)] = .success(DNSAnswer(contents: [], ttl: ttl))
    }

    /// Runs the round to its end.
    private mutating func run(_ actions: [DomainState.Action]) {
        var rest = actions[...]
        while let action = rest.popFirst() {
            switch action {
            case .ask(let question):
                asked.append(question)
                let result = answers[question] ?? .failure(.silence)
                rest += state.answered(question, result, at: now, using: &random)
            case .tell(let event): told.append(event)
            case .fail(let error): failures.append(error)
            case .wake(let pause): self.pause = pause
            }
        }
    }

    private mutating func start() {
        (asked, told, failures) = ([], [], [])
        run(state.start(at: now, using: &random))
    }

    private mutating func wake() {
        (asked, told, failures) = ([], [], [])
        now += pause
        run(state.woke(at: now, using: &random))
    }

    private var ports: [UInt16] {
        told.compactMap { if case .sighted(let sighting) = $0 { sighting.port } else { nil } }
    }

    @Test("a list yields instances and these yield addresses, and one wake-up remains")
    mutating func firstRound() throws {
        try list(["one", "two"])
        try place("one")
        try place("two", port: 7100)
        try address("10.1.2.3")
        start()
        #expect(asked.count == 7)
        #expect(told.first == .source(.up) && told.last == .settled)
        #expect(ports.sorted() == [7099, 7100])
        #expect((.seconds(90)...(.seconds(100))).contains(pause))
        wake()
        #expect(told.isEmpty, "nothing has changed")
    }

    @Test("only records that expire soon are queried again, and not before the minimum interval")
    mutating func expiry() throws {
        try list(["one"], ttl: 0)
        try place("one", ttl: 3_000)
        try address("10.1.2.3", ttl: 0xFFFF_FFFF)
        start()
        #expect((.seconds(9)...(.seconds(10))).contains(pause))
        for _ in 0..<20 {
            wake()
            #expect(asked == [try question("\(Self.type).d.org", .pointer)])
        }
        try list(["one"], ttl: 1_000_000)
        wake()
        try place("one", port: 1, ttl: 1_000_000)
        (asked, told) = ([], [])
        wake()
        #expect(now < .seconds(3_600))
        #expect(ports == [1])
        #expect(pause <= .seconds(3_600))
    }

    @Test("an unlisted instance has vanished, and a change is reported once")
    mutating func changes() throws {
        try list(["one", "two"])
        try place("one")
        try place("two")
        try address("10.1.2.3")
        start()
        try list(["two"])
        try address("10.1.2.4")
        wake()
        #expect(told.count == 2)
        guard case .vanished(let key) = told.first else { throw NotInTime(seconds: 0) }
        #expect(key.instance.name == "one")
        try list([])
        wake()
        wake()
        #expect(asked.count == 1)
    }

    @Test("without a response the domain is down once, backoff grows to a minute, nothing vanishes, all is resent")
    mutating func silence() throws {
        try list(["one"])
        try place("one")
        try address("10.1.2.3")
        start()
        let known = answers
        answers = [:]
        wake()
        #expect(told.isEmpty && failures == [.silence])
        var pauses: [Duration] = []
        for _ in 0..<12 {
            pauses.append(pause)
            wake()
            #expect(told.isEmpty && failures.isEmpty)
        }
        #expect(pauses[0] <= .seconds(1))
        #expect(pauses.allSatisfy { $0 <= .seconds(60) })
        #expect(pauses[11] >= .seconds(30))
        answers = known
        wake()
        #expect(told.first == .source(.up) && told.last == .settled && ports == [7099])
        #expect(!told.contains { if case .vanished = $0 { true } else { false } })
    }

    @Test("a record that cannot be queried keeps its last value, and affects no other record")
    mutating func oneBrokenRecord() throws {
        try list(["one", "two"])
        try place("one")
        try place("two")
        try address("10.1.2.3")
        start()
        answers[try question("one.\(Self.type).d.org", .service)] = .failure(.refused(code: 2))
        try place("two", port: 7100)
        wake()
        #expect(ports == [7100])
        #expect(told.count == 1)
        #expect((.seconds(50)...(.seconds(60))).contains(pause))
    }

    @Test("the domain is down after eight questions in a row without a response, not after a thousand")
    mutating func manySilences() throws {
        try list((0..<20).map { "s\($0)" })
        start()
        #expect(asked.count <= 8 + 16)
        #expect(told.isEmpty && failures == [.silence])
    }

    @Test("the fault names the servers that were queried, or the file that names none")
    func faults() throws {
        let servers = try ["10.0.0.53", "[fd00::53]:5300"].map {
            try #require(AddressAndPort($0, defaultPort: 53))
        }
        let named = DNSError.silence.fault(asked: servers, from: .fixed(servers))
        #expect(named == SourceFault(code: .dnsSilent, servers: ["10.0.0.53:53", "[fd00::53]:5300"]))
        let none = DNSError.noServer.fault(asked: [], from: .file(path: "/r"))
        #expect(none == SourceFault(.dnsNoServer, path: "/r"))
    }

    @Test("instances that exceed the limit, are duplicates or belong to another domain are skipped and counted")
    mutating func limits() throws {
        let elsewhere = DNSRecord.Content.pointer(try #require(DomainName("x.\(Self.type).e.org")))
        let names = try ((0..<25).map { "s\($0)" } + ["s1"]).map {
            DNSRecord.Content.pointer(try #require(DomainName("\($0).\(Self.type).d.org")))
        }
        let list = DNSAnswer(contents: names + [elsewhere], ttl: 10)
        answers[try question("\(Self.type).d.org", .pointer)] = .success(list)
        for index in 0..<25 { try place("s\(index)") }
        try address("10.1.2.3")
        start()
        #expect(ports.count == 20)
        #expect(state.findings.ignoredInstances == 7)
        #expect(state.findings.omissions == [.instancesIgnored(count: 7)])
    }

    @Test("at most 16 questions are in flight")
    mutating func questionsAtOnce() throws {
        try list((0..<20).map { "s\($0)" })
        let root = state.start(at: now, using: &random)
        #expect(root == [.ask(try question("\(Self.type).d.org", .pointer))])
        let result = try #require(answers[try question("\(Self.type).d.org", .pointer)])
        let next = state.answered(try question("\(Self.type).d.org", .pointer), result, at: now, using: &random)
        #expect(next.count == 16)
    }

    @Test("after stop there are no queries and no events")
    mutating func stopped() throws {
        try list([])
        let actions = state.start(at: now, using: &random)
        state.stop()
        (asked, told) = ([], [])
        run(actions)
        #expect(told.isEmpty)
        #expect(state.woke(at: now, using: &random).isEmpty)
    }

    @Test("a refresh queries again immediately, unless that was just done, and all sightings are resent on request")
    mutating func doubt() throws {
        try list(["one", "two"])
        try place("one")
        try place("two")
        try address("10.1.2.3")
        start()
        let instance = ServiceInstance(name: "one", type: Self.type, domain: "d.org")
        #expect(state.sightedEvents.count == 2)
        #expect(state.refresh(instance, at: now + .seconds(1)).isEmpty)
        now += .seconds(6)
        #expect(state.refresh(ServiceInstance(name: "three", type: Self.type, domain: "d.org"), at: now).isEmpty)
        #expect(state.refresh(ServiceInstance(name: "one", type: Self.type, domain: "local"), at: now).isEmpty)
        try address("10.1.2.4")
        run(state.refresh(instance, at: now))
        #expect(pause == .zero)
        wake()
        let name = "one.\(Self.type).d.org"
        #expect(
            Set(asked) == [
                try question(name, .service), try question(name, .text), try question("h.d.org", .address),
                try question("h.d.org", .address6),
            ]
        )
        #expect(ports.count == 2, "they are on one host")
        #expect((.seconds(70)...(.seconds(94))).contains(pause), "\(pause)")
        #expect(state.refresh(instance, at: now).isEmpty)
    }
}
