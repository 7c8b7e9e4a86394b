// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Discovery

@Suite("A hostile DNS server", .timeLimit(.minutes(2)))
struct HostileServerTests {
    private static let questions = 2_000
    private static let atOnce = 50

    /// The result of a question: the answer, or the reason why there is none.
    private static func outcome(_ client: DNSClient, _ number: Int, _ server: AddressAndPort) async -> String {
        guard let name = DomainName("\(number).example.org") else { return "no name" }
        do {
            let answer = try await client.ask(DNSQuestion(name: name, kind: .address), of: [server]).get()
            return answer.contents.map { "\($0)" }.joined(separator: " ")
        } catch {
            return "\(error)"
        }
    }

    private static func expected(_ plan: HostileServer.Plan) throws -> [String] {
        let right = "\(DNSRecord.Content.address(try #require(IPAddress("10.1.2.3"))))"
        return switch plan {
        case .noise, .slices: [right]
        // The bytes may contain a message, but not the answer.
        case .garbage, .huge: ["\(DNSError.malformed)"]
        case .hangUp: ["\(DNSError.silence)"]
        case .refusal: ["\(DNSError.refused(code: 5))"]
        }
    }

    @Test("thousands of questions each get the right answer or an error, and none hangs")
    func client() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let server = try await HostileServer(seed: 7, on: MultiThreadedEventLoopGroup.singleton.next())
        let client = DNSClient(loop: loop)
        let outcomes = await withTaskGroup(of: (Int, String).self) { group in
            var outcomes: [Int: String] = [:]
            for number in 0..<Self.questions {
                if number >= Self.atOnce, let (done, outcome) = await group.next() { outcomes[done] = outcome }
                group.addTask { (number, await Self.outcome(client, number, server.address)) }
            }
            for await (done, outcome) in group { outcomes[done] = outcome }
            return outcomes
        }
        for (number, outcome) in outcomes {
            let plan = HostileServer.Plan(number)
            #expect(try Self.expected(plan).contains(outcome), "question \(number), \(plan): \(outcome)")
        }
        #expect(outcomes.count == Self.questions)
        withExtendedLifetime(server) {}
    }

    @Test("thousands of rounds with forged answers all end, and memory stays bounded")
    func rounds() throws {
        var limits = DomainLimits()
        limits.instancesPerType = 5
        let domain = try #require(DomainName("d.org"))
        let types = try ["_a._tcp", "_b._tcp"].map { try #require(DomainName($0)) }
        let reader = InstanceReader(
            domain: domain,
            types: types,
            source: .dns(domain: "d.org"),
            policy: NetworkPolicy(),
            limits: limits
        )
        var random = SeededRandom(seed: 11)
        var state = DomainState(reader, limits: limits)
        var (now, rounds, ups) = (Duration.zero, 0, 0)
        var actions = state.start(at: now, using: &random)
        while rounds < 2_000 {
            var (questions, pause) = (0, Duration?.none)
            while let action = actions.popLast() {
                switch action {
                case .ask(let question):
                    questions += 1
                    let result = MadeUpAnswer.result(to: question, using: &random)
                    actions += state.answered(question, result, at: now, using: &random)
                case .tell(.source(.up)): ups += 1
                case .tell, .fail: break
                case .wake(let after): pause = after
                }
            }
            // Lists, the locations and texts of their instances, and both families of the hosts.
            #expect(questions <= types.count * (1 + limits.instancesPerType * 4), "round \(rounds)")
            #expect(state.findings.sightings.count <= types.count * limits.instancesPerType * 2)
            let next = try #require(pause, "round \(rounds) has no end")
            #expect(next > .zero && next <= limits.longestTTL)
            now += next
            rounds += 1
            actions = state.woke(at: now, using: &random)
        }
        #expect(ups > 5, "rounds succeed again after each that fails")
    }
}
