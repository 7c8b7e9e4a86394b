// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Passwords over plain HTTP")
struct PlaintextRuleTests {
    private typealias Fact = PlaintextRule.Fact
    private typealias Case = (permission: PlaintextPermission, facts: [Fact], refusal: PlaintextRefusal?)

    private static let none = PlaintextPermission(user: .none)
    private static let here = PlaintextPermission(user: .here)
    private static let administrators = PlaintextPermission(user: .none, administrator: true)
    private static let office = PlaintextPermission(user: .on(network: [1], interface: "eth0"))
    private static let unnamed = PlaintextPermission(user: .on(network: nil, interface: nil))
    private static let everywhere = PlaintextPermission(user: .on(network: [1], interface: "eth0"), administrator: true)
    private static let permissions = [none, here, administrators, office, unnamed, everywhere]

    private static let facts: [Fact] = [
        .network([1]), .network([2]), .network(nil), .interfaces(["eth0"]), .interfaces(["eth1"]), .interfaces([]),
        .unknownOwner(port: 1, isAccepted: false), .unknownOwner(port: 1, isAccepted: true),
    ]

    private func pin(_ address: String) throws -> Pin { .plain(try #require(IPAddress(address)), port: 1) }

    private func check(_ pin: Pin, _ cases: [Case]) {
        for test in cases {
            #expect(PlaintextRule(pin, test.permission).refusal(knowing: test.facts) == test.refusal, "\(test)")
        }
    }

    @Test(
        "TLS needs no permission",
        arguments: [Pin.tls(spkiSHA256: [7]), .authority(host: "db.example")]
    )
    func encrypted(pin: Pin) {
        for permission in Self.permissions {
            #expect(PlaintextRule(pin, permission).refusal(knowing: Self.facts) == nil)
            #expect(PlaintextRule(pin.strength, permission).refusal() == nil)
        }
    }

    @Test(
        "without a permission no password is sent, whatever else is known",
        arguments: ["192.0.2.1", "fe80::1", "::1"]
    )
    func notPermitted(address: String) throws {
        let pin = try pin(address)
        for facts in [[]] + Self.facts.map({ [$0] }) + [Self.facts] {
            #expect(PlaintextRule(pin, Self.none).refusal(knowing: facts) == .notPermitted)
        }
        for permission in Self.permissions {
            let refusal = PlaintextRule(pin.strength, permission).refusal()
            #expect(refusal == (permission == Self.none ? .notPermitted : nil))
        }
    }

    @Test("for an address, the user's permission holds on its network, and the administrator's on any")
    func network() throws {
        check(
            try pin("192.0.2.1"),
            [
                (Self.here, Self.facts, nil),
                (Self.administrators, Self.facts, nil),
                (Self.everywhere, Self.facts, nil),
                (Self.office, [], nil),
                (Self.office, [.network([1])], nil),
                (Self.office, [.network([2])], .otherNetwork([2])),
                (Self.office, [.network(nil)], .otherNetwork(nil)),
                (Self.office, [.network([1]), .interfaces(["eth1"])], nil),
                (Self.unnamed, [.network(nil), .interfaces([])], nil),
                (Self.unnamed, [.network([1])], .otherNetwork([1])),
                (Self.office, [.unknownOwner(port: 1, isAccepted: false)], nil),
            ]
        )
    }

    @Test("for a link-local address, the user's permission holds only on its interface")
    func interface() throws {
        check(
            try pin("fe80::1"),
            [
                (Self.here, Self.facts, nil),
                (Self.administrators, Self.facts, nil),
                (Self.office, [.network([1]), .interfaces(["eth0"])], nil),
                (Self.office, [.interfaces(["eth1", "eth0"])], nil),
                (Self.office, [.interfaces(["eth1"])], .otherInterface(permitted: "eth0", found: ["eth1"])),
                (Self.office, [.interfaces([])], .otherInterface(permitted: "eth0", found: [])),
                (Self.unnamed, [.interfaces(["eth0"])], .otherInterface(permitted: nil, found: ["eth0"])),
                (Self.unnamed, [.interfaces([])], .otherInterface(permitted: nil, found: [])),
                (Self.office, [.network([2]), .interfaces(["eth1"])], .otherNetwork([2])),
            ]
        )
    }

    @Test("on this machine, an owner that the kernel does not report must be accepted")
    func loopback() throws {
        let unknown = PlaintextRefusal.ownerUnknown(port: 7)
        for address in ["127.0.0.1", "::1"] {
            check(
                try pin(address),
                [
                    (Self.office, [.network([2]), .interfaces(["eth1"])], nil),
                    (Self.office, [.unknownOwner(port: 7, isAccepted: true)], nil),
                    (Self.office, [.unknownOwner(port: 7, isAccepted: false)], unknown),
                    (Self.here, [.unknownOwner(port: 7, isAccepted: false)], unknown),
                    (Self.administrators, [.unknownOwner(port: 7, isAccepted: false)], unknown),
                ]
            )
        }
    }
}
