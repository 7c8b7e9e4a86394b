// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Glibc

/// A real etcd on this machine's loopback, with free ports and one member.
package final class EtcdServer {
    package let url: ServerURL
    /// The address as a text without a path, for etcd's own tools.
    package let address: String
    private let directory: TemporaryDirectory
    private let arguments: [String]
    private let client: [String]
    private var process: ChildProcess?

    /// - Parameter certificates: if given, it uses TLS and requires client certificates.
    package static func serving(_ certificates: Certificates? = nil) async throws -> EtcdServer {
        let server = try EtcdServer(certificates)
        try await server.start()
        return server
    }

    private init(_ certificates: Certificates?) throws {
        directory = TemporaryDirectory()
        let ports = try LoopbackPort.free(2)
        let scheme = certificates == nil ? "http" : "https"
        let text = "\(scheme)://127.0.0.1:\(ports[0])"
        url = try ServerURL(completing: text)
        address = text
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

    /// Starts the server again after `stop`.
    package func start() async throws {
        process = try ChildProcess(arguments)
        try await eventually {
            try await Command(client + ["endpoint", "health"], environment: Self.environment).run().status == 0
        }
    }

    /// Like `start`, with authentication enabled.
    package func startWithUsers() async throws {
        process = try ChildProcess(arguments)
        let root = ["--user", "root:secret", "get", "/fleet/one"]
        try await eventually {
            try await Command(client + root, environment: Self.environment).run().status == 0
        }
    }

    /// Stops the server, and returns when it has exited.
    package func stop() {
        process?.signal(SIGKILL)
        _ = process?.wait()
        process = nil
    }

    /// Sends it a signal.
    package func signal(_ signal: Int32) {
        process?.signal(signal)
    }

    /// Runs etcdctl.
    @discardableResult
    package func control(_ arguments: [String], input: String = "") async throws -> String {
        try await Command(client + arguments, environment: Self.environment).succeed(input: input)
    }

    /// Sets the key `/fleet/NAME`.
    package func put(_ name: String, _ value: String) async throws {
        try await control(["put", "/fleet/\(name)", value])
    }

    /// Sets the key `/fleet/NAME` to an entry with this URL.
    package func put(_ name: String, url: String) async throws {
        try await put(name, "{\"url\": \"\(url)\"}")
    }

    private static let environment = ["ETCDCTL_API": "3"]
}
