// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform
import TestSupport
import Testing

/// A user's home with a running daemon, a Data API, a login, a default and kept tables, to prove that a sandbox does not
/// touch it. While `unchanged` runs, nothing else uses it.
final class OuterHome {
    let deployment = Deployment()
    private let daemon: Supervised
    private let server: Supervised
    private let data: Supervised
    private var dataSocket: String { deployment.home.path(of: "run/relativityd/data.sock") }

    /// Variables that lead to this home, in addition to those of `deployment`.
    var environment: [String: String] {
        deployment.environment.merging([
            "RELATIVITYD_DATA_SOCKET": dataSocket, "RELATIVITYD_LOGIN": Deployment.login,
            "RELATIVITYD_URL": "http+unix://outside/bin", "RELATIVITYD_ADAPTER_SOCKET": "/outside",
        ]) { $1 }
    }

    init() async throws {
        let started = try await deployment.startWithLogin()
        server = started.server
        try await deployment.success("default", "set", Deployment.login)
        try await deployment.success("briefcase", "keep", "sample", "Deps")
        // What the daemon knows of the server is saved at its end. Without probes and calls there is nothing new.
        try await deployment.success("endpoint", "set", "sample", "--probe", "off")
        try await started.daemon.end()
        daemon = try await deployment.startDaemon()
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        data = try Supervised(
            [
                Products.path(of: "relativityd-data"), "serve", "--socket",
                deployment.home.path(of: "run/relativityd/data.sock"),
            ],
            environment: deployment.environment,
            log: deployment.home.path(of: "data.log")
        )
        try await eventually { [dataSocket] in access(dataSocket, F_OK) == 0 }
    }

    /// Runs `body`, and expects that neither a file of the home was changed nor a connection to a socket was made.
    ///
    /// The sockets are moved away meanwhile, and others, which accept nothing, are in their places.
    func unchanged<Result>(_ body: () async throws -> Result) async throws -> Result {
        // The end of each program's last work, such as a session that ends.
        try await eventually { try await self.deployment.json("adapter", "list") == [] }
        let traps = try ["relativityd", "adapters", "data"].map {
            try SocketTrap(deployment.home.path(of: "run/relativityd/\($0).sock"))
        }
        let before = try await contents()
        let result = try await body()
        let after = try await contents()
        #expect(before.count > 10 && before == after, "\(after.filter { !before.contains($0) })")
        for trap in traps { #expect(!trap.end(), "a connection was made to \(trap.path)") }
        try await deployment.success("status")
        return result
    }

    func end() async throws {
        for program in [data, daemon, server] { try await program.end() }
    }

    /// The hash, mode and path of each file, but for the logs of the programs.
    private func contents() async throws -> [Substring] {
        try await Command([
            "sh", "-c",
            """
            cd "$0" && find . -type f ! -name '*.log' ! -name audit.jsonl ! -name requests -printf '%m ' \
                -exec sha256sum {} ';' | sort
            """, deployment.home.path,
        ]).succeed().split(separator: "\n")
    }
}

/// A socket in the place of another one, which no process serves. It is known whether a client has connected.
private final class SocketTrap {
    let path: String
    private let descriptor: Int32
    private var hidden: String { path + ".real" }

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        let address = try #require(UnixAddress(path: path))
        try #require(rename(path, hidden) == 0)
        try #require(address.withSockaddr { bind(descriptor, $0, $1) } == 0 && listen(descriptor, 8) == 0)
    }

    /// Puts the real socket back.
    ///
    /// - Returns: whether a client has connected.
    func end() -> Bool {
        let client = accept(descriptor, nil, nil)
        if client >= 0 { close(client) }
        close(descriptor)
        rename(hidden, path)
        return client >= 0
    }
}
