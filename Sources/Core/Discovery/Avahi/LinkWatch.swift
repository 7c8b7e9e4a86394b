// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Glibc

/// Recent changes of this machine's interfaces and clock. Avahi does not report that a cable is unplugged as long as
/// the address stays.
final class LinkWatch {
    private typealias Instant = SuspendingClock.Instant

    /// The time after a change in which Avahi may still remove records. If an interface is lost, Avahi removes them
    /// within moments. If the clock has jumped, Avahi removes expired records after several queries.
    private static let linkAftermath = Duration.seconds(2)
    private static let clockAftermath = Duration.seconds(10)

    private let socket: Int32
    private var watch: DescriptorWatch?
    private var disturbances: [NetworkDisturbance: Instant] = [:]
    private var everythingUntil: Instant?
    private var clock: ClockJump
    private var usable: (links: UsableLinks, until: Instant)?

    /// Without a socket, which a sandbox may forbid, only the current state can be detected.
    init() {
        socket = Self.makeSocket()
        clock = ClockJump(wall: Self.time(of: CLOCK_REALTIME), monotonic: Self.time(of: CLOCK_MONOTONIC))
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// - Parameter report: called from within Avahi's loop when the kernel has sent something, until `look` is
    ///   called.
    func begin(on loop: AvahiLoop, report: @escaping @Sendable () -> Void) {
        if socket >= 0, watch == nil { watch = DescriptorWatch(socket, on: loop, report: report) }
    }

    /// Stops the reports. Call on the loop's thread before this object is released.
    func end() { watch = nil }

    /// Whether it reports changes.
    var isReporting: Bool {
        get { watch?.isOn ?? false }
        set { watch?.isOn = newValue }
    }

    /// The state of a sighting's link, as of the last call of `look`.
    func state(of key: Sighting.Key) -> LinkState {
        if isAway(Link(of: key)) { return .away }
        let now = Instant.now
        let ofKey = [
            NetworkDisturbance(interface: key.interface, family: key.family),
            NetworkDisturbance(interface: key.interface, family: nil),
        ]
        let ends = ofKey.compactMap { disturbances[$0] } + [everythingUntil].compactMap { $0 }
        return ends.contains { $0 > now } ? .shaken : .steady
    }

    /// Whether its interface is down, has no carrier, or has no address of its family.
    func isAway(_ link: Link) -> Bool {
        if let usable, usable.until > .now { return !usable.links.contains(link) }
        let links = UsableLinks.current()
        usable = (links, .now + .milliseconds(20))
        return !links.contains(link)
    }

    /// Reads the kernel's messages since the last call.
    ///
    /// - Returns: whether there was a message about interfaces or addresses.
    func look() -> Bool {
        let now = Instant.now
        disturbances = disturbances.filter { $0.value > now }
        if clock.look(wall: Self.time(of: CLOCK_REALTIME), monotonic: Self.time(of: CLOCK_MONOTONIC)) {
            everythingUntil = now + Self.clockAftermath
        }
        var hasNews = false
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while socket >= 0 {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == ENOBUFS {
                // The kernel's buffer has overflowed, so messages were lost.
                everythingUntil = now + Self.linkAftermath
                hasNews = true
                continue
            }
            guard count > 0 else { break }
            hasNews = true
            for disturbance in buffer.withUnsafeBytes({ NetworkDisturbance.all(in: .init(rebasing: $0[..<count])) }) {
                disturbances[disturbance] = now + Self.linkAftermath
            }
        }
        if hasNews { usable = nil }
        return hasNews
    }

    /// A socket that receives changes of links and addresses; -1 if none can be opened.
    private static func makeSocket() -> Int32 {
        let routing: Int32 = 0
        let descriptor = Glibc.socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), routing)
        guard descriptor >= 0 else { return -1 }
        // RTMGRP_LINK, RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR of `sockaddr_nl`, which Swift does not import.
        let address: [UInt32] = [UInt32(AF_NETLINK), 0, 0x1 | 0x10 | 0x100]
        let status = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, 12) }
        }
        guard status == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A message of rtnetlink(7) that an interface went down or lost an address.
struct NetworkDisturbance: Hashable {
    /// The interface index, as from `if_nametoindex`.
    var interface: Int32
    /// The address family; nil for both.
    var family: AddressFamily?
}

extension NetworkDisturbance {
    private static let linkAdded = 16
    private static let linkRemoved = 17
    private static let addressRemoved = 21
    private static let headerSize = 16

    /// Reads a datagram of netlink messages: headers of 16 bytes, each followed by `ifinfomsg` or `ifaddrmsg`.
    /// Incomplete messages and other kinds are skipped.
    static func all(in datagram: UnsafeRawBufferPointer) -> [NetworkDisturbance] {
        var found: [NetworkDisturbance] = []
        var rest = datagram[...]
        while rest.count >= headerSize {
            let message = UnsafeRawBufferPointer(rebasing: rest)
            let length = Int(message.loadUnaligned(as: UInt32.self))
            guard length >= headerSize, length <= message.count else { break }
            let kind = Int(message.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
            if let disturbance = NetworkDisturbance(
                kind,
                UnsafeRawBufferPointer(rebasing: message[headerSize..<length])
            ) {
                found.append(disturbance)
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return found
    }

    private init?(_ kind: Int, _ body: UnsafeRawBufferPointer) {
        switch kind {
        case Self.linkAdded where body.count >= 16:
            let wanted = UInt32(IFF_UP | IFF_RUNNING)
            guard body.loadUnaligned(fromByteOffset: 8, as: UInt32.self) & wanted != wanted else { return nil }
            interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        case Self.linkRemoved where body.count >= 16:
            interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        case Self.addressRemoved where body.count >= 8:
            switch Int32(body[0]) {
            case AF_INET: family = .inet
            case AF_INET6: family = .inet6
            default: return nil
            }
            interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        default:
            return nil
        }
    }
}

/// The interfaces that are up with a carrier, each with the families of its addresses.
struct UsableLinks {
    private var links: Set<Link> = []

    func contains(_ link: Link) -> Bool { links.contains(link) }

    /// The result of `getifaddrs(3)`; empty if it fails.
    static func current() -> UsableLinks {
        var result = UsableLinks()
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return result }
        defer { freeifaddrs(list) }
        let wanted = UInt32(IFF_UP | IFF_RUNNING)
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard
                let entry = entry?.pointee, entry.ifa_flags & wanted == wanted, let address = entry.ifa_addr,
                let family = AddressFamily(address.pointee.sa_family)
            else { continue }
            result.links.insert(Link(interface: Int32(clamping: if_nametoindex(entry.ifa_name)), family: family))
        }
        return result
    }
}

extension AddressFamily {
    fileprivate init?(_ family: sa_family_t) {
        switch Int32(family) {
        case AF_INET: self = .inet
        case AF_INET6: self = .inet6
        default: return nil
        }
    }
}

/// The interfaces on which multicast DNS can reach other machines.
package enum MulticastInterfaces {
    /// The sorted names of interfaces that are up, have a carrier and support multicast, without loopback.
    @Sendable package static func current() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        let wanted = UInt32(IFF_UP | IFF_RUNNING | IFF_MULTICAST)
        var names: Set<String> = []
        var next = list
        while let entry = next {
            let flags = entry.pointee.ifa_flags
            if flags & wanted == wanted, flags & UInt32(IFF_LOOPBACK) == 0 {
                names.insert(String(cString: entry.pointee.ifa_name))
            }
            next = entry.pointee.ifa_next
        }
        return names.sorted()
    }
}

/// Detects that the wall clock has jumped, because it was set or because the machine slept. Avahi measures the
/// lifetime of its records by this clock, so a jump makes them expire early.
struct ClockJump {
    /// A smaller jump affects no record: the shortest lifetime is two minutes, and records are refreshed after 80 %
    /// of it.
    static let least = Duration.seconds(10)

    private var offset: Duration

    /// - Parameters:
    ///   - wall: time since 1970.
    ///   - monotonic: time that cannot be set and stops while the machine sleeps.
    init(wall: Duration, monotonic: Duration) {
        offset = wall - monotonic
    }

    /// - Returns: whether the clock has jumped since the last call.
    mutating func look(wall: Duration, monotonic: Duration) -> Bool {
        let difference = wall - monotonic - offset
        offset = wall - monotonic
        return max(difference, .zero - difference) >= Self.least
    }
}
