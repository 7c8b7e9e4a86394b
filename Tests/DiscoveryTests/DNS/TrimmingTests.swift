// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Trimming of answers")
struct TrimmingTests {
    private let reader: InstanceReader
    private let name: DomainName

    init() throws {
        var limits = DomainLimits()
        limits.instancesPerType = 20
        name = try #require(DomainName("_a._tcp.d.org"))
        reader = InstanceReader(
            domain: try #require(DomainName("d.org")),
            types: [try #require(DomainName("_a._tcp"))],
            source: .dns(domain: "d.org"),
            policy: NetworkPolicy(),
            limits: limits
        )
    }

    private func trimmed(_ contents: [DNSRecord.Content], _ kind: DNSQuestion.Kind) -> DNSAnswer {
        reader.trimmed(DNSAnswer(contents: contents, ttl: 9), to: DNSQuestion(name: name, kind: kind))
    }

    @Test("of a TXT record one Ethernet frame is kept, and of several records the first")
    func text() {
        let strings = [[UInt8]](repeating: [UInt8](repeating: 0x61, count: 255), count: 250)
        let answer = trimmed([.text([[]] + strings), .text([[1]])], .text)
        #expect(answer == DNSAnswer(contents: [.text(Array(strings.prefix(5)))], ttl: 9))
    }

    @Test("of several locations the effective one is kept")
    func places() throws {
        let places = (0..<4_000).map { index in
            DNSRecord.Content.service(
                ServiceLocation(priority: 9, weight: 0, port: UInt16(4_000 - index), target: name)
            )
        }
        #expect(trimmed(places, .service).contents == [try #require(places.last)])
    }

    @Test("of the addresses 16 are kept, allowed ones first, in any order")
    func addresses() throws {
        let refused = try (1...100).map { DNSRecord.Content.address(try #require(IPAddress("8.8.8.\($0)"))) }
        let allowed = DNSRecord.Content.address(try #require(IPAddress("10.1.2.3")))
        let one = trimmed(refused + [allowed], .address).contents
        #expect(one.count == 16)
        #expect(one.first == allowed)
        #expect(one == trimmed([allowed] + refused.reversed(), .address).contents)
    }

    @Test("of a list the instances that are looked up are kept, and the others are counted")
    func list() throws {
        let names = try (0..<100).map {
            DNSRecord.Content.pointer(try #require(DomainName("s\($0)")?.below(name)))
        }
        let question = DNSQuestion(name: name, kind: .pointer)
        let answer = trimmed(names, .pointer)
        #expect(answer.contents.count == 20)
        #expect(reader.questions(after: question, answer).count == 40)
        #expect(reader.read { $0 == question ? answer : nil }.ignoredInstances == 80)
        #expect(reader.trimmed(answer, to: question) == answer)
    }
}
