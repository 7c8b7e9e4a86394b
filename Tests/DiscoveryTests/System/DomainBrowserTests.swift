// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOPosix
import TestSupport
import Testing

@testable import Discovery

@Suite(
    "A domain with a real DNS server",
    .enabled(if: Requirement.allMet([.program("/usr/sbin/nsd")])),
    .timeLimit(.minutes(1))
)
struct DomainBrowserTests {
    private static let type = "_Relativity_DataService_rosdk._tcp"

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func browser(_ servers: [AddressAndPort], domain: String = "example.org") throws -> DomainBrowser {
        var limits = DomainLimits()
        limits.shortestTTL = .milliseconds(100)
        return DomainBrowser(
            domain: try #require(DomainName(domain)),
            types: [Self.type, "_Relativity_AdminService_rosdk._tcp"],
            servers: .fixed(servers),
            policy: NetworkPolicy(),
            limits: limits,
            loop: loop
        )
    }

    private static func address(of server: NameServer) throws -> AddressAndPort {
        AddressAndPort(try #require(IPAddress("127.0.0.1")), port: server.port)
    }

    private static func server(_ name: String, port: Int = 7099, text: String = "\"a=b\"") -> [String] {
        [
            "\(type) PTR \(name).\(type)", "\(name).\(type) SRV 0 0 \(port) host", "\(name).\(type) TXT \(text)",
            "host A 10.1.2.3", "host AAAA fd00::3",
        ]
    }

    @Test("the browser follows added, changed and removed servers, and keeps them while DNS is down")
    func life() async throws {
        let server = try await NameServer.serving(Self.server("one"))
        let browser = try browser([Self.address(of: server)])
        let reader = SightingReader(browser)
        try await reader.wait(for: .settled)
        let sightings = reader.sightings.values
        #expect(Set(sightings.map { "\($0.address)" }) == ["10.1.2.3", "fd00::3"])
        #expect(
            sightings.allSatisfy { $0.key.instance.name == "one" && $0.port == 7099 && $0.host == "host.example.org" }
        )
        #expect(sightings.allSatisfy { $0.key.source.text == "dns:example.org" && $0.txt == [Array("a=b".utf8)] })

        server.serve(Self.server("one", port: 7100))
        try await reader.wait { $0.sightings.values.allSatisfy { $0.port == 7100 } }
        #expect(reader.vanished == 0, "a change is no end")

        server.serve(Self.server("one", port: 7100) + Self.server("two"))
        try await reader.wait { $0.sightings.count == 4 }

        server.stop()
        let (fault, asked) = (try await reader.awaitDown(), try Self.address(of: server))
        #expect(fault.code == .dnsSilent && fault.servers == ["\(asked)"])
        #expect(reader.sightings.count == 4, "what was known is kept")
        try server.start()
        try await reader.wait(for: .settled)
        #expect(reader.sightings.count == 4)
        #expect(reader.vanished == 0)

        server.serve(Self.server("two"))
        try await reader.wait { $0.sightings.count == 2 }
        #expect(reader.sightings.keys.allSatisfy { $0.instance.name == "two" })

        server.serve([])
        try await reader.wait { $0.sightings.isEmpty }
        browser.stop()
        await reader.awaitEnd()
    }

    @Test("a name may have any bytes, and an answer may be too long for a datagram")
    func longAnswers() async throws {
        let names = (0..<60).map { "a\\032server\\.with\\\\a\\255long\\000name\\010\($0)" }
        let text = (0..<20).map { "\"key\($0)=\(String(repeating: "x", count: 100))\"" }.joined(separator: " ")
        let server = try await NameServer.serving(names.flatMap { Self.server($0, text: text) })
        let browser = try browser([Self.address(of: server)])
        let reader = SightingReader(browser)
        try await reader.wait(for: .settled)
        #expect(reader.sightings.count == 120)
        let found = Set(reader.sightings.keys.map(\.instance.nameBytes))
        let expected = (0..<60).map { index in
            Array("a server.with\\a".utf8) + [255] + Array("long\0name\n\(index)".utf8)
        }
        #expect(found == Set(expected))
        let sizes = reader.sightings.values.map { $0.txt.reduce(0) { $0 + $1.count + 1 } }
        #expect(sizes.allSatisfy { (1_200...1_300).contains($0) })
        browser.stop()
    }

    @Test("a domain that is missing or empty is settled immediately, without instances")
    func nothing() async throws {
        let server = try await NameServer.serving([])
        let browser = try browser([Self.address(of: server)])
        let reader = SightingReader(browser)
        try await reader.wait(for: .settled)
        #expect(reader.heard == [.source(.up), .settled])
        browser.stop()
        await reader.awaitEnd()
    }

    @Test("a server that refuses is named, and the next one is queried")
    func refusal() async throws {
        let server = try await NameServer.serving([])
        let elsewhere = try browser([Self.address(of: server)], domain: "example.net")
        let reader = SightingReader(elsewhere)
        let (fault, asked) = (try await reader.awaitDown(), try Self.address(of: server))
        #expect(fault.code == .dnsError && fault.number == 5 && fault.servers == ["\(asked)"])
        elsewhere.stop()

        let closed = AddressAndPort(try #require(IPAddress("127.0.0.1")), port: 9)
        let browser = try browser([closed, Self.address(of: server)])
        let second = SightingReader(browser)
        try await second.wait(for: .settled)
        #expect(second.heard.first == .source(.up))
        browser.stop()
    }

    @Test("addresses outside the allowed networks are refused and counted")
    func refusedAddresses() async throws {
        let server = try await NameServer.serving([
            "\(Self.type) PTR one.\(Self.type)", "one.\(Self.type) SRV 0 0 7099 host", "host A 127.0.0.1",
            "host A 169.254.169.254", "host A 8.8.8.8", "host AAAA ::ffff:127.0.0.1", "host AAAA fd00:ec2::254",
        ])
        let browser = try browser([Self.address(of: server)])
        let reader = SightingReader(browser)
        try await reader.wait(for: .settled)
        #expect(reader.sightings.isEmpty)
        try await eventually { !browser.omissions.isEmpty }
        #expect(browser.omissions == [.addressesRefused(count: 5)])
        browser.stop()
    }

    @Test("a browser that was stopped asks no more")
    func stoppedQueries() async throws {
        let server = try await NameServer.serving(Self.server("one"))
        let (stopped, other) = (try browser([Self.address(of: server)]), try browser([Self.address(of: server)]))
        for browser in [stopped, other] { try await SightingReader(browser).wait(for: .settled) }
        stopped.stop()
        // Another browser shows that the answers would have arrived: it gets two of them in succession.
        for count in 1...2 {
            server.serve(Self.server("one") + (1...count).map { "host A 127.0.0.\($0)" })
            try await eventually { other.omissions == [.addressesRefused(count: count)] }
        }
        #expect(stopped.omissions.isEmpty)
        other.stop()
    }

    @Test("stop ends the stream immediately, even while a server does not respond")
    func stopping() async throws {
        let silent = try SilentServer()
        let browser = try browser([silent.address])
        let reader = SightingReader(browser)
        try await silent.awaitQuestion()
        let began = ContinuousClock.now
        browser.stop()
        await reader.awaitEnd()
        #expect(ContinuousClock.now - began < .seconds(1))
        #expect(reader.heard.isEmpty)
    }
}
