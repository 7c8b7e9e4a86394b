// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A real DNS server, nsd, for the zone example.org, on a free port of this machine's loopback.
package final class NameServer {
    package let port: UInt16
    private let directory = TemporaryDirectory()
    private var process: ChildProcess?
    private var serial = 1

    /// Starts a server, and returns when it responds.
    ///
    /// - Parameter records: lines of a zone file.
    package static func serving(_ records: [String]) async throws -> NameServer {
        let server = try NameServer(records)
        try await eventually { LoopbackPort.isOpen(server.port) }
        return server
    }

    private init(_ records: [String]) throws {
        port = try LoopbackPort.free(1)[0]
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

    /// Starts the server again after `stop`.
    package func start() throws {
        process = try ChildProcess(["/usr/sbin/nsd", "-d", "-c", directory.path(of: "conf")])
    }

    /// Stops the server, and returns when it has exited.
    package func stop() {
        process?.signal(SIGTERM)
        _ = process?.wait()
        process = nil
    }

    /// Replaces the records.
    package func serve(_ records: [String]) {
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
}
