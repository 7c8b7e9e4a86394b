// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Sends a multicast DNS query for service types, to find out whether multicast works on a network.
enum MulticastQuery {
    enum Answer: Equatable {
        /// A packet was received: a response, another host's packet, or the query itself, which the kernel loops back.
        case received
        case silent
    }

    static let port: UInt16 = 5_353
    static let patience = Duration.seconds(1)
    private static let mostInterfaces = 8
    private static let hops: Int32 = 255

    /// 224.0.0.251.
    private static let group = in_addr(s_addr: UInt32(0xE000_00FB).bigEndian)

    /// A query for the PTR records of `_services._dns-sd._udp.local` (RFC 6763, section 9).
    private static let message: [UInt8] = {
        let labels = ["_services", "_dns-sd", "_udp", "local"]
        let name: [UInt8] = labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, 0, 12, 0, 1]
    }()

    /// Sends one query on each interface. After half of the time, sends a second one on those that received nothing.
    ///
    /// - Parameter interfaces: names of interfaces with an IPv4 address.
    /// - Returns: the results by name, without interfaces on which no query could be sent.
    static func answers(
        on interfaces: [String],
        within patience: Duration = patience
    ) -> [String: Answer] {
        var waiting: [Int32: String] = [:]
        for name in interfaces.prefix(mostInterfaces) {
            if let socket = opened(on: name) { waiting[socket] = name }
        }
        var answers = waiting.values.reduce(into: [String: Answer]()) { $0[$1] = .silent }
        let start = ContinuousClock.now
        for phase in [start + patience / 2, start + patience] {
            for (socket, name) in waiting where !send(on: socket) {
                // No result: the query was not sent, for another reason than a packet filter.
                answers[name] = nil
                waiting[socket] = nil
                close(socket)
            }
            while !waiting.isEmpty, ContinuousClock.now < phase {
                for socket in readable(Array(waiting.keys), until: phase) {
                    if let name = waiting.removeValue(forKey: socket) { answers[name] = .received }
                    close(socket)
                }
            }
        }
        for socket in waiting.keys { close(socket) }
        return answers
    }

    /// - Returns: a socket that receives packets of the group on one interface only; nil if it cannot be created.
    private static func opened(on interface: String) -> Int32? {
        let index = if_nametoindex(interface)
        guard index != 0 else { return nil }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        var membership = ip_mreqn()
        membership.imr_multiaddr = group
        membership.imr_ifindex = Int32(index)
        // Bound to the group address, so that it takes no unicast packet meant for Avahi.
        let isReady =
            set(SOL_SOCKET, SO_REUSEADDR, Int32(1), on: socket) && bound(socket)
            && set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, Int32(0), on: socket)
            && set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, membership, on: socket)
            && set(Int32(IPPROTO_IP), IP_MULTICAST_IF, membership, on: socket)
            && set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, hops, on: socket)
        guard isReady else {
            close(socket)
            return nil
        }
        return socket
    }

    private static func set(_ level: Int32, _ option: Int32, _ value: some BitwiseCopyable, on socket: Int32) -> Bool {
        withUnsafeBytes(of: value) {
            setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count)) == 0
        }
    }

    private static func withGroup<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = group
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                guard let start = pointer.baseAddress else { preconditionFailure("an address has bytes") }
                return body(start, socklen_t(bytes.count))
            }
        }
    }

    private static func bound(_ socket: Int32) -> Bool { withGroup { bind(socket, $0, $1) == 0 } }

    /// - Returns: whether the query was sent, or was dropped by a packet filter of this machine.
    private static func send(on socket: Int32) -> Bool {
        withGroup { address, size in
            sendto(socket, message, message.count, Int32(MSG_DONTWAIT), address, size) == message.count
                || errno == EPERM
        }
    }

    private static func readable(_ sockets: [Int32], until end: ContinuousClock.Instant) -> [Int32] {
        var waits = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let rest = max(.zero, end - ContinuousClock.now)
        let milliseconds = Int32(clamping: Int64(rest / .milliseconds(1)) + 1)
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return [] }
        return waits.filter { $0.revents & Int16(POLLIN) != 0 }.map(\.fd)
    }
}
