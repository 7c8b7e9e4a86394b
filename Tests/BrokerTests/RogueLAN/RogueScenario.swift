// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// An attack on the LAN, to get a login that is bound to the honest server, or a session of it.
struct RogueScenario {
    /// A change that the attacker makes on the LAN.
    enum Lure: Equatable {
        /// Announces the honest server's name, from another host, with the same or another port.
        case sameName(samePort: Bool)
        /// Listens at the honest server's address and port, after that server has stopped.
        case takesOver(Face)
        /// Changes the honest server's announcement to the rogue's port or host.
        case moves(toHost: Bool)
        /// The honest server has another name now, and the rogue has its old one.
        case renames
        /// The honest server has two addresses, one of which is the rogue's.
        case twoAddresses(rogueFirst: Bool)
        /// Adds the rogue's IPv6 address to the announcement of the honest server, which has an IPv4 address.
        case otherFamily(rogueFirst: Bool)
        /// The list of servers was changed on disk: the endpoint's URL is the rogue's.
        case editedList
        /// Another server runs on the honest server's host.
        case neighbour
        /// This machine is on another network, on which the rogue has the address.
        case otherNetwork
    }

    /// The identity that the rogue shows.
    enum Face: Equatable {
        case plain
        case otherKey
        /// An expired certificate with the honest server's name and another key.
        case expiredOtherKey
        /// A certificate with the honest server's host name, from an untrusted authority.
        case otherAuthority
        /// A certificate of the trusted authority, for another host name and the rogue's own addresses.
        case otherHost
    }

    let name: String
    /// The possible strengths of the login's pin.
    let strengths: [PinStrength]
    /// The attack is one of these; if empty, the rogue only listens.
    var lures: [Lure] = []
    var face = Face.plain
    /// The final behaviour of the honest server; nil for any.
    var honest: Misbehaviour?
    var rogue: Misbehaviour?
    /// Whether the pinned server's certificate, which has the pinned key, is expired.
    var isExpired = false
    /// Whether the login is bound to a certificate for the server's host name, instead of its key.
    var isBoundToHost = false
    /// Whether the rogue gets no connection at all, because no client contacts it.
    var isUntouched = false

    static let all: [RogueScenario] =
        network + vouchedFor
        + replies.map {
            RogueScenario(name: $0.0, strengths: [.loopback, .address, .tlsKey], lures: baits, honest: $0.1)
        }
        + [
            RogueScenario(
                name: "proxies in the environment",
                strengths: [.loopback, .address, .tlsKey],
                honest: Misbehaviour.none,
                isUntouched: true
            )
        ]

    /// Attacks in which the honest server misbehaves.
    private static let baits: [Lure] = [
        .sameName(samePort: false), .neighbour, .moves(toHost: true), .twoAddresses(rogueFirst: false),
    ]

    private static let network: [RogueScenario] = [
        .init(name: "same name", strengths: [.loopback, .address, .tlsKey], lures: [.sameName(samePort: false)]),
        .init(
            name: "same name and port",
            strengths: [.loopback, .address, .tlsKey],
            lures: [.sameName(samePort: true)]
        ),
        .init(name: "address taken over, other certificate", strengths: [.tlsKey], lures: [.takesOver(.otherKey)]),
        .init(name: "address taken over, TLS dropped", strengths: [.tlsKey], lures: [.takesOver(.plain)]),
        .init(
            name: "address taken over, expired certificate",
            strengths: [.tlsKey],
            lures: [.takesOver(.expiredOtherKey)]
        ),
        .init(
            name: "other host, other certificate",
            strengths: [.tlsKey],
            lures: [.moves(toHost: true)],
            face: .otherKey
        ),
        .init(name: "other host, no TLS", strengths: [.tlsKey], lures: [.moves(toHost: true)]),
        .init(
            name: "pinned key in an expired certificate of another host",
            strengths: [.tlsKey],
            lures: [.sameName(samePort: true)],
            face: .expiredOtherKey,
            honest: Misbehaviour.none,
            isExpired: true
        ),
        .init(name: "SRV moves the port", strengths: [.loopback, .address, .tlsKey], lures: [.moves(toHost: false)]),
        .init(
            name: "announcement moves to another host",
            strengths: [.loopback, .address],
            lures: [.moves(toHost: true)]
        ),
        .init(name: "renamed, and the name taken over", strengths: [.loopback, .address, .tlsKey], lures: [.renames]),
        .init(
            name: "two addresses, the rogue's first",
            strengths: [.address, .tlsKey],
            lures: [.twoAddresses(rogueFirst: true)],
            face: .otherKey
        ),
        .init(
            name: "two addresses, the rogue's last",
            strengths: [.address, .tlsKey],
            lures: [.twoAddresses(rogueFirst: false)],
            face: .otherKey
        ),
        .init(
            name: "IPv4 and IPv6 racing",
            strengths: [.address, .tlsKey],
            lures: [.otherFamily(rogueFirst: true), .otherFamily(rogueFirst: false)],
            face: .otherKey
        ),
        .init(name: "list of servers edited", strengths: [.loopback, .address, .tlsKey], lures: [.editedList]),
        .init(name: "two servers on one host", strengths: [.loopback, .address, .tlsKey], lures: [.neighbour]),
        .init(name: "same address on another network", strengths: [.address], lures: [.otherNetwork]),
        .init(
            name: "session lost, then another host",
            strengths: [.address, .tlsKey],
            lures: [.moves(toHost: true)],
            honest: .sessionNotFound
        ),
        .init(
            name: "session lost at the address that was taken over",
            strengths: [.tlsKey],
            lures: [.takesOver(.otherKey)],
            rogue: .sessionNotFound
        ),
    ]

    private static let vouchedFor: [RogueScenario] = [
        .init(
            name: "bound to a host, taken over by one of another authority",
            strengths: [.tlsKey],
            lures: [.takesOver(.otherAuthority)],
            isBoundToHost: true
        ),
        .init(
            name: "bound to a host, taken over by another host",
            strengths: [.tlsKey],
            lures: [.takesOver(.otherHost)],
            isBoundToHost: true
        ),
        .init(
            name: "bound to a host, TLS dropped",
            strengths: [.tlsKey],
            lures: [.takesOver(.plain)],
            isBoundToHost: true
        ),
        .init(
            name: "bound to a host, announcement moves to another host",
            strengths: [.tlsKey],
            lures: [.moves(toHost: true), .twoAddresses(rogueFirst: true), .sameName(samePort: true)],
            face: .otherHost,
            isBoundToHost: true
        ),
    ]

    private static let replies: [(String, Misbehaviour)] = [
        ("SessionNotFound storm", .sessionNotFound), ("redirect 301", .redirect301), ("redirect 302", .redirect302),
        ("redirect 303", .redirect303), ("redirect 307", .redirect307), ("redirect 308", .redirect308),
        ("slow-loris server", .slowLoris), ("huge Content-Length", .hugeContentLength),
        ("huge inner length", .hugeInnerLength), ("zip bomb", .zipBomb),
        ("another ClientID in the reply", .otherClientID),
        ("text that names SessionNotFound", .steeringText), ("endless chunks", .endlessChunks),
        ("garbage status line", .garbageStatusLine), ("half a reply", .halfReply),
        ("401 that asks for Basic", .basicAuthentication), ("AES envelope", .envelope), ("late reply", .late),
        ("cookie and alternative service", .cookie), ("hangs up", .hangsUp),
    ]
}
