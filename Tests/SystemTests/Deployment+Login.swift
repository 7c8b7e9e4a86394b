// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

extension Deployment {
    static let passphrase = "correct horse battery"
    static let login = "simple@sample"

    func initialiseVault() async throws {
        try await success(
            ["vault", "init", "--provider", "passphrase", "--passphrase-stdin"],
            input: Self.passphrase + "\n"
        )
    }

    func fingerprint(of endpoint: String) async throws -> String {
        try #require(try await json("show", endpoint).objectValue).string("fingerprint")
    }

    /// Adds the login of the sample server to an endpoint.
    func addLogin(
        to endpoint: String = "sample",
        user: String = "simple",
        password: String = "simple",
        domain: String = "DASamples",
        schema: String = "Simple",
        options: [String] = [],
        environment: [String: String]? = nil
    ) async throws -> Command.Output {
        let arguments = [
            Products.path(of: "relctl"), "login", "add", endpoint, "--user", user, "--domain", domain, "--schema",
            schema, "--password-stdin", "--allow-plaintext", "--pin", try await fingerprint(of: endpoint),
        ]
        return try await Command(arguments + options, environment: environment ?? self.environment).run(
            input: password + "\n"
        )
    }

    /// Opens an adapter that is held until the returned process exits.
    func holdAdapter(_ options: String...) async throws -> (holder: ChildProcess, adapter: JSONObject) {
        let holder = try ChildProcess(
            [Products.path(of: "relctl"), "adapter", "open", "--hold", "--json"] + options,
            environment: environment
        )
        for await line in holder.outputLines(silence: .seconds(30)) {
            return (holder, try #require(try JSONValue(parsing: line).objectValue))
        }
        throw NotInTime(seconds: 30)
    }

    /// A deployment with a daemon.
    static func running() async throws -> Deployment {
        let deployment = Deployment()
        try await deployment.startDaemon()
        return deployment
    }

    /// A deployment with what `startWithLogin` starts.
    static func withLogin() async throws -> Deployment {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        return deployment
    }

    /// A daemon and a server with the tables of PCTrade, added as `shop` with a login.
    @discardableResult
    func startShop(domain: String = "PCTrade Sample") async throws -> (program: Supervised, port: Int) {
        try await startDaemon()
        let server = try await startServer()
        try await success("add", "shop", "127.0.0.1:\(server.port)")
        try await initialiseVault()
        let added = try await addLogin(
            to: "shop",
            user: "Data",
            password: "Relativity",
            domain: domain,
            schema: "PCTrade"
        )
        try #require(added.status == 0, "\(added)")
        return server
    }

    /// A daemon, a server that was added as `sample`, an unlocked vault and a login.
    @discardableResult
    func startWithLogin(_ options: String...) async throws -> (daemon: Supervised, server: Supervised, port: Int) {
        try await startWithLogin(options)
    }

    /// The same, with options as an array.
    @discardableResult
    func startWithLogin(_ options: [String]) async throws -> (daemon: Supervised, server: Supervised, port: Int) {
        let daemon = try await startDaemon()
        let server = try await startServer(options)
        try await success("add", "sample", "127.0.0.1:\(server.port)")
        try await initialiseVault()
        let added = try await addLogin()
        try #require(added.status == 0, "\(added)")
        return (daemon, server.program, server.port)
    }
}
