// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Broker

@Suite("Owners of the other end of a local connection")
struct PeerTrustTests {
    private static let outside = PeerTrust(user: 1_000, isInitialNamespace: true)
    private static let inside = PeerTrust(user: 1_000, isInitialNamespace: false)

    /// The report of the kernel, and the verdicts outside and inside a user namespace.
    private static let table: [(owner: SocketOwner, PeerTrust.Verdict, PeerTrust.Verdict)] = [
        (.user(1_000), .trusted, .trusted),
        (.user(0), .trusted, .untrusted),
        (.user(1_001), .untrusted, .untrusted),
        (.user(65_534), .untrusted, .unknown),
        (.unaccepted, .unaccepted, .unaccepted),
        (.none, .unknown, .unknown),
        (.unavailable, .unknown, .unknown),
    ]

    @Test("the daemon's user is trusted, and root if it can be distinguished from other users")
    func verdicts() {
        for (owner, outside, inside) in Self.table {
            let name = Comment(rawValue: "\(owner)")
            #expect(Self.outside.verdict(on: owner, isLast: true) == outside, name)
            #expect(Self.inside.verdict(on: owner, isLast: true) == inside, name)
        }
    }

    @Test("the owner is queried again if the connection is not accepted yet, or not in the tables yet")
    func again() {
        for trust in [Self.outside, Self.inside] {
            for owner in [SocketOwner.unaccepted, .none] {
                #expect(trust.verdict(on: owner, isLast: false) == .retry)
            }
        }
        #expect(Self.inside.verdict(on: .unavailable, isLast: false) == .unknown)
        #expect(Self.inside.verdict(on: .user(65_534), isLast: false) == .unknown)
    }

    @Test("if the daemon's user is the overflow user of the namespace, the owner is unknown too")
    func unmapped() {
        let unmapped = PeerTrust(user: 65_534, isInitialNamespace: false)
        #expect(unmapped.verdict(on: .user(65_534), isLast: true) == .unknown)
        let nobody = PeerTrust(user: 65_534, isInitialNamespace: true)
        #expect(nobody.verdict(on: .user(65_534), isLast: true) == .trusted)
    }

    @Test("the initial namespace is the one that maps every user to itself")
    func namespaces() {
        let maps = [
            ("         0          0 4294967295\n", true), ("      1000       1000          1\n", false),
            ("         0       1000          1\n", false), ("0 0 65536\n", false), ("", false),
            ("0 0 1\n1 1 4294967294\n", false),
        ]
        for (map, isInitial) in maps {
            #expect(PeerTrust(user: 7, overflowUser: 9, map: map).isInitialNamespace == isInitial, "\(map)")
        }
    }
}
