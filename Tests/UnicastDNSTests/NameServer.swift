// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import UnicastDNS

/// A real DNS server, nsd, for the zone example.org on this machine's loopback and a port of its own.
final class NameServer {
    let port: UInt16
    private let directory = TemporaryDirectory()
    private var process: ChildProcess?
    private var serial = 1

    var address: AddressAndPort {
        get throws { AddressAndPort(try #require(IPAddress("127.0.0.1")), port: port) }
    }

    /// A server that answers.
    ///
    /// - Parameter records: lines of a zone file.
    static func serving(_ records: [String]) async throws -> NameServer {
        let server = try NameServer(records)
        let attempt = DNSAttempt(
            question: DNSQuestion(name: try #require(DomainName("ns.example.org")), kind: .address),
            server: try server.address,
            loop: MultiThreadedEventLoopGroup.singleton.next()
        )
        try await eventually { (try? await attempt.start(over: .datagram).get()) != nil }
        return server
    }

    private init(_ records: [String]) throws {
        port = try Self.freePort()
        let directory = directory.path
        let configuration = """
            server:
              ip-address: 127.0.0.1@\(port)
              username: ""
              zonesdir: "\(directory)"
              database: ""
              pidfile: "\(directory)/pid"
              xfrdfile: "\(directory)/xfrd"
              xfrdir: "\(directory)"
              zonelistfile: "\(directory)/zones"
              server-count: 1
              rrl-ratelimit: 0
            remote-control:
              control-enable: no
            zone:
              name: example.org
              zonefile: zone
            """
        self.directory.write(Array(configuration.utf8), to: "conf")
        write(records)
        try start()
    }

    deinit {
        stop()
    }

    func start() throws {
        process = try ChildProcess(["/usr/sbin/nsd", "-d", "-c", directory.path(of: "conf")])
    }

    /// Ends it, and returns when it has gone.
    func stop() {
        process?.signal(SIGTERM)
        _ = process?.wait()
        process = nil
    }

    /// Serves other records from now on.
    func serve(_ records: [String]) {
        write(records)
        process?.signal(SIGHUP)
    }

    private func write(_ records: [String]) {
        serial += 1
        let head = [
            "$ORIGIN example.org.", "$TTL 1", "@ SOA ns hostmaster \(serial) 60 60 60 1", "@ NS ns", "ns A 127.0.0.1",
        ]
        let text = (head + records).joined(separator: "\n") + "\n"
        directory.write(Array(text.utf8), to: "zone.new")
        rename(directory.path(of: "zone.new"), directory.path(of: "zone"))
    }

    /// One that is free for UDP; somebody else could take it until the server does, which nobody here does.
    private static func freePort() throws -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, size) == 0 ? getsockname(socket, pointer, &size) : -1
            }
        }
        try #require(status == 0)
        return UInt16(bigEndian: address.sin_port)
    }
}
