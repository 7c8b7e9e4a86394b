// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Broker

@Suite struct IdentityTests {
    private let key = [UInt8](repeating: 7, count: 32)

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test("a login is sent only to the server that its pin identifies")
    func pinCheck() throws {
        let (here, other) = (try address("192.0.2.1"), try address("192.0.2.2"))
        let loop = try address("127.0.0.1")
        typealias Case = (pin: Pin, scheme: ServerURL.Scheme, port: UInt16, at: [IPAddress], to: [IPAddress]?)
        let cases: [Case] = [
            (.tls(spkiSHA256: key), .https, 1, [here, other], [here, other]),
            (.tls(spkiSHA256: key), .https, 2, [], []),
            (.tls(spkiSHA256: key), .http, 1, [here], nil),
            (.address(here, port: 1), .http, 1, [other, here], [here]),
            (.address(here, port: 1), .http, 2, [here], nil),
            (.address(here, port: 1), .http, 1, [other], nil),
            (.address(here, port: 1), .http, 1, [], nil),
            (.address(here, port: 1), .https, 1, [here], nil),
            (.loopback(loop, port: 1), .http, 1, [loop], [loop]),
            (.loopback(loop, port: 1), .http, 2, [loop], nil),
            (.loopback(loop, port: 1), .http, 1, [here], nil),
            (.loopback(loop, port: 1), .https, 1, [loop], nil),
        ]
        for test in cases {
            let check = PinCheck(test.pin, scheme: test.scheme, port: test.port, candidates: test.at)
            if let addresses = test.to {
                #expect(check == .connect(addresses), "\(test)")
            } else if case .connect = check {
                Issue.record("\(test) must be a conflict")
            }
        }
    }

    @Test("a link-local address equals itself with another interface index")
    func scope() throws {
        let pinned = try #require(IPAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), scope: 2))
        let now = try #require(IPAddress(bytes: pinned.bytes, scope: 5))
        #expect(PinCheck(.address(pinned, port: 1), scheme: .http, port: 1, candidates: [now]) == .connect([now]))
    }

    private let routes = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
        eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
        """
    private let neighbours = """
        IP address       HW type     Flags       HW address            Mask     Device
        192.168.0.1      0x1         0x2         aa:bb:cc:dd:ee:ff     *        eth0
        """

    private func networkID(_ routes: String, _ neighbours: String, towards server: String = "10.1.2.3") -> [UInt8]? {
        IPAddress(server).flatMap { NextHop(towards: $0, routes: routes) }
            .flatMap { CurrentNetwork.id($0, neighbours: neighbours) }
    }

    @Test("a network is identified by the gateway's link-layer address and the prefix")
    func networkID() {
        let id = networkID(routes, neighbours)
        #expect(id?.count == 32)
        #expect(id == networkID(routes + "\n", neighbours + "\n"))
        #expect(id == networkID(routes, neighbours, towards: "192.168.0.9"))
        #expect(networkID(routes, neighbours.replacing("aa:bb", with: "aa:bc")) != id)
        #expect(networkID(routes.replacing("00FFFFFF", with: "0000FFFF"), neighbours) != id)
    }

    @Test("without a gateway, a network is identified by the server's or a router's link-layer address, and the prefix")
    func networkWithoutGateway() throws {
        let bench = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
            eth0\t0000000A\t0100A8C0\t0003\t0\t0\t100\t000000FF\t0\t0\t0
            """
        let servers = neighbours + "\n192.168.0.9      0x1         0x2         aa:bb:cc:dd:ee:09     *        eth0\n"
        let id = try #require(networkID(bench, servers, towards: "192.168.0.9"))
        #expect(id != networkID(routes, servers))
        #expect(networkID(bench, servers.replacing("ee:09", with: "ee:10"), towards: "192.168.0.9") != id)
        #expect(networkID(bench, servers, towards: "10.1.2.3") == networkID(routes, neighbours))
        for elsewhere in ["192.168.0.10", "192.168.1.9", "2001:db8::1"] {
            #expect(networkID(bench, servers, towards: elsewhere) == nil)
        }
    }

    @Test("the neighbour to query is known before its link-layer address")
    func unknownNeighbour() throws {
        let hop = try #require(NextHop(towards: try address("10.1.2.3"), routes: routes))
        #expect(hop.address == (try address("192.168.0.1")))
        #expect(hop.interface == "eth0" && hop.prefix == [192, 168, 0, 0] && hop.prefixLength == 24)
        #expect(hop.linkLayerAddress(in: "") == nil)
    }

    @Test("a network without a gateway, or with malformed tables, has no ID")
    func noNetworkID() {
        let broken: [(String, String)] = [
            ("", ""), (routes, ""), ("", neighbours), ("\n\n", "\n"),
            (routes, neighbours.replacing("0.1 ", with: "0.2 ")),
            (routes, neighbours.replacing("aa:bb:cc:dd:ee:ff", with: "00:00:00:00:00:00")),
            (routes, neighbours.replacing("aa:bb:cc:dd:ee:ff", with: "aa:bb")),
            (routes, neighbours.replacing("aa:bb:cc:dd:ee:ff", with: "zz:bb:cc:dd:ee:ff")),
            (routes, neighbours.replacing("eth0", with: "eth1")),
            (routes.replacing("0100A8C0", with: "0100A8"), neighbours),
            (routes.replacing("0100A8C0", with: "XX00A8C0"), neighbours),
        ]
        for (routes, neighbours) in broken {
            #expect(networkID(routes, neighbours) == nil, "\(routes) \(neighbours)")
        }
        for length in 0..<routes.count {
            _ = networkID(String(routes.prefix(length)), neighbours)
        }
    }

    @Test("the fingerprint of a pin has a fixed value, as digits and as words")
    func fingerprint() throws {
        let tls = Fingerprint(of: .tls(spkiSHA256: [0x00, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 28)))
        #expect(tls.text == "0001ffff" + String(repeating: "0", count: 56))
        #expect(tls.words == "babad-zuzuz-babab-babab-babab-babab-babab-babab")
        let plain = Fingerprint(of: .address(try address("192.0.2.1"), port: 7_099))
        // printf '\001\004\000\300\000\002\001\002\000\273\033' | sha256sum
        #expect(plain.text == "27dc68a0d7efb55717c02fa04755a4dd584e74ee2bde947d37bd2637878d267f")
        #expect(plain != (Fingerprint(of: .loopback(try address("192.0.2.1"), port: 7_099))))
    }

    @Test("a fingerprint is parsed from digits, with or without colons and prefix")
    func fingerprintParsing() throws {
        let digits = String(repeating: "0a", count: 32)
        let colons = Array(repeating: "0A", count: 32).joined(separator: ":")
        let bytes = [UInt8](repeating: 10, count: 32)
        for text in [digits, colons, "sha256:" + digits, "SHA256:" + colons] {
            #expect(Fingerprint(text)?.bytes == bytes, "\(text)")
        }
        for text in ["", "sha256:", String(digits.dropLast()), digits + "00", "zz" + digits.dropFirst(2), "é" + digits]
        {
            #expect(Fingerprint(text) == nil, "\(text)")
        }
    }
}
