// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import TestSupport
import Testing

/// A real etcd on this machine's loopback, with ports of its own and one member.
final class EtcdServer {
    let url: ServerURL
    private let directory: TemporaryDirectory
    private let arguments: [String]
    private let client: [String]
    private var process: ChildProcess?

    /// - Parameter certificates: makes it speak TLS, and ask clients for a certificate.
    static func serving(_ certificates: Certificates? = nil) async throws -> EtcdServer {
        let server = try EtcdServer(certificates)
        try await server.start()
        return server
    }

    private init(_ certificates: Certificates?) throws {
        directory = TemporaryDirectory()
        let ports = try Self.freePorts(2)
        let scheme = certificates == nil ? "http" : "https"
        let text = "\(scheme)://127.0.0.1:\(ports[0])"
        url = try ServerURL(completing: text)
        let peer = "http://127.0.0.1:\(ports[1])"
        var arguments = [
            "/usr/bin/etcd", "--name", "one", "--data-dir", directory.path(of: "data"), "--listen-client-urls", text,
            "--advertise-client-urls", text, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", "one=\(peer)", "--logger", "zap", "--log-outputs", directory.path(of: "log"),
        ]
        var client = ["/usr/bin/etcdctl", "--endpoints", text]
        if let certificates {
            arguments += [
                "--cert-file", certificates.path(of: "server.pem"), "--key-file", certificates.path(of: "server.key"),
                "--trusted-ca-file", certificates.path(of: "ca.pem"), "--client-cert-auth",
            ]
            client += [
                "--cacert", certificates.path(of: "ca.pem"), "--cert", certificates.path(of: "client.pem"),
                "--key", certificates.path(of: "client.key"),
            ]
        }
        self.arguments = arguments
        self.client = client
    }

    deinit {
        signal(SIGCONT)
        stop()
    }

    func start() async throws {
        process = try ChildProcess(arguments)
        try await eventually(within: 20) {
            try await Command(client + ["endpoint", "health"], environment: Self.environment).run().status == 0
        }
    }

    /// As `start`, where only users may ask for anything.
    func startWithUsers() async throws {
        process = try ChildProcess(arguments)
        let root = ["--user", "root:secret", "get", "/fleet/one"]
        try await eventually(within: 20) {
            try await Command(client + root, environment: Self.environment).run().status == 0
        }
    }

    /// Ends it, and returns when it has gone.
    func stop() {
        process?.signal(SIGKILL)
        _ = process?.wait()
        process = nil
    }

    func signal(_ signal: Int32) {
        process?.signal(signal)
    }

    /// Runs etcdctl.
    @discardableResult
    func control(_ arguments: [String], input: String = "") async throws -> String {
        try await Command(client + arguments, environment: Self.environment).succeed(input: input)
    }

    func put(_ name: String, _ value: String) async throws {
        try await control(["put", "/fleet/\(name)", value])
    }

    func put(_ name: String, url: String) async throws {
        try await put(name, "{\"url\": \"\(url)\"}")
    }

    private static let environment = ["ETCDCTL_API": "3"]

    /// Free ones now; nobody here takes them before etcd does.
    private static func freePorts(_ count: Int) throws -> [UInt16] {
        let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for socket in sockets { close(socket) } }
        return try sockets.map { socket in
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
}
