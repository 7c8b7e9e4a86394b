// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Locks
import TestSupport
import Testing

/// A separate home directory, with the daemon and the servers of a test, which end with this object.
final class Deployment: Sendable {
    let home = TemporaryDirectory()
    let lan: LAN?
    let environment: [String: String]
    private let owned = Lock<[any Sendable]>([])
    /// The address of the deployment's own system bus. There is no bus unless a test starts one.
    var bus: String { home.path(of: "bus") }

    /// - Parameters:
    ///   - lan: the daemon runs on its host 1, servers on its host 2. Without a LAN all run on loopback, out of reach
    ///     of any system bus.
    ///   - probes: whether the daemon probes automatically. The default is true on a LAN; elsewhere it would connect to
    ///     any address in a test.
    init(on lan: LAN? = nil, probes: Bool? = nil) {
        self.lan = lan
        for name in ["run", "server", "config", "config/relativityd"] { mkdir(home.path(of: name), 0o700) }
        let configuration = "[probe]\nmode = \"\(probes ?? (lan != nil) ? "on" : "off")\"\n"
        home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
        let bus = lan == nil ? home.path(of: "bus") : "/run/dbus/system_bus_socket"
        environment = [
            "HOME": home.path,
            "XDG_RUNTIME_DIR": home.path(of: "run"),
            "XDG_DATA_HOME": home.path(of: "data"),
            "XDG_CONFIG_HOME": home.path(of: "config"),
            "XDG_STATE_HOME": home.path(of: "state"),
            "RELATIVITYD_SOCKET": home.path(of: "run/relativityd/relativityd.sock"),
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)",
            "LC_ALL": "C.UTF-8",
        ]
    }

    deinit {
        // Before the directory is removed.
        for case let program as Supervised in owned.withLock({ $0 }) { program.waitForEnd() }
    }

    /// Ends this program with the deployment.
    func own(_ program: any Sendable) { owned.withLock { $0.append(program) } }

    var socket: String { home.path(of: "run/relativityd/relativityd.sock") }
    var daemonLog: String { home.path(of: "relativityd.log") }
    var requestLog: String { home.path(of: "requests") }
    var vaultFile: String { home.path(of: "data/relativityd/vault.rcv") }

    /// Starts the daemon, and waits until it responds.
    ///
    /// - Parameter wrapper: a program with its arguments that starts it.
    @discardableResult
    func startDaemon(
        environment added: [String: String] = [:],
        wrapper: [String] = [],
        options: [String] = []
    ) async throws -> Supervised {
        let daemon = try Supervised(
            wrapper + [Products.path(of: "relativityd"), "--log-level", "debug"] + options,
            environment: environment.merging(added) { $1 },
            log: daemonLog,
            on: lan.map { ($0, 1) }
        )
        own(daemon)
        try await eventually { try await self.relctl("version").status == 0 }
        return daemon
    }

    /// Runs a daemon that is expected to exit on its own.
    func runDaemon(environment added: [String: String] = [:], options: [String] = []) async throws -> Command.Output {
        try Network.requireLoopbackOnly()
        let arguments = [Products.path(of: "relativityd")] + options
        return try await Command(arguments, environment: environment.merging(added) { $1 }).run()
    }

    /// Starts a sample server, by default on a free port of loopback, and waits until it listens.
    ///
    /// - Parameters:
    ///   - host: the host of the LAN, if there is one.
    ///   - data: the folder of its databases, in the home directory.
    @discardableResult
    func startServer(
        _ options: [String] = [],
        port: Int = 0,
        host: Int = 2,
        data: String = "server"
    ) async throws -> (program: Supervised, port: Int) {
        let log = home.path(of: "server.\(port).\(UInt32.random(in: 0...9_999)).log")
        mkdir(home.path(of: data), 0o700)
        let server = try Supervised(
            [
                Products.path(of: "relativity-sample-server"), "--port", "\(port)", "--data-dir",
                home.path(of: data), "--log-requests", requestLog,
            ] + options,
            environment: environment,
            log: log,
            on: lan.map { ($0, host) }
        )
        own(server)
        try await eventually { server.output.contains("\ndatabase ") }
        let line = server.output.split(separator: "\n").first { $0.hasPrefix("listening on ") }
        let digits = try #require(line).split(separator: " ").dropLast().last?.split(separator: ":").last
        return (server, try #require(digits.flatMap { Int($0) }))
    }

    /// The number of requests to the servers for a method, for example `LoginService.LoginEx`.
    func requests(of method: String) -> Int {
        TextFile.text(of: requestLog).split(separator: "\n").count { $0 == method }
    }

    func relctl(
        _ arguments: String...,
        input: String = "",
        environment added: [String: String] = [:]
    ) async throws -> Command.Output {
        try await relctl(arguments, input: input, environment: added)
    }

    func relctl(
        _ arguments: [String],
        input: String = "",
        environment added: [String: String] = [:]
    ) async throws -> Command.Output {
        try await command(arguments, added).run(input: input)
    }

    /// The output of a verb that is expected to succeed.
    @discardableResult
    func success(_ arguments: String..., input: String = "") async throws -> String {
        try await success(arguments, input: input)
    }

    @discardableResult
    func success(_ arguments: [String], input: String = "") async throws -> String {
        try await command(arguments).succeed(input: input)
    }

    /// The output of a verb with `--json`, without the version of its schema; for a list, its elements.
    func json(_ arguments: String..., input: String = "") async throws -> JSONValue {
        let text = try await command(arguments + ["--json"]).succeed(input: input)
        // A list of the servers of a flood.
        let limits = JSONLimits(bytes: 64 << 20, values: 1 << 22)
        var object = try #require(try JSONValue(parsing: text, limits: limits).objectValue)
        try #require(object["schemaVersion"] == 1, "\(text)")
        object["schemaVersion"] = nil
        let first = object.first { _ in true }?.value
        return first?.arrayValue == nil ? .object(object) : first ?? .null
    }

    /// Starts a verb that runs until the test releases it.
    func background(_ arguments: String...) throws -> ChildProcess { try background(arguments) }

    func background(_ arguments: [String]) throws -> ChildProcess {
        let command = command(arguments)
        return try ChildProcess(command.arguments, environment: command.environment)
    }

    private func command(_ arguments: [String], _ added: [String: String] = [:]) -> Command {
        Command([Products.path(of: "relctl")] + arguments, environment: environment.merging(added) { $1 })
    }
}
