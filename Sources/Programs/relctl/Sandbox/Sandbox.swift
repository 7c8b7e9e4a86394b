// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform

/// A separate daemon, vault, Data API and sample servers, in a directory that is removed with them.
final class Sandbox {
    /// The prefix of the directory's name.
    private static let prefix = "relctl-sandbox"
    private static let mostBytes = 1 << 20

    private let directory: String
    /// Held while the sandbox exists, so that its directory can be removed if this process is killed.
    private let lock: DirectoryLock
    private let environment: [String: String]
    /// The name of the first server's login; nil if it needs none.
    private var login: String?
    private var programs: [BackgroundProgram] = []

    /// Starts the programs and stores a login for each server.
    ///
    /// - Parameter wish: the account of each login.
    /// - Throws: `Failure`; `DaemonError`.
    init(_ servers: [SandboxServer], _ wish: SandboxLogin.Wish) throws {
        let own = Environment.ofProcess()
        Self.removeAbandoned(in: own.privateTemporaryDirectory)
        (directory, lock) = try Self.newDirectory(in: own.privateTemporaryDirectory)
        // Neither the buses nor files of the user are used, so that the sandbox is the same on every machine.
        environment = [
            "PATH": own["PATH"] ?? "/usr/bin:/bin", "HOME": directory, "TMPDIR": own.temporaryDirectory,
            "XDG_RUNTIME_DIR": directory, Directories.variable: directory,
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/no-bus",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/no-bus",
        ]
        do {
            try start(servers, wish)
        } catch {
            end()
            throw error
        }
    }

    /// The variables by which a program, and relctl in it, find the sandbox and nothing else. Those of an adapter would
    /// lead out of it.
    var variables: [(name: String, value: String)] {
        [
            (Directories.variable, directory), (SocketPath.environmentVariable, directory + Self.socketName),
            (SocketPath.dataVariable, directory + Self.dataSocketName),
            (ChosenLogin.Chooser.environment.rawValue, login ?? ""),
        ] + AdapterVariables.Name.allCases.map { ($0.rawValue, "") }
    }

    private static let socketName = "/relativityd/relativityd.sock"
    private static let dataSocketName = "/relativityd/data.sock"

    /// Whether a path is the daemon's socket in a sandbox.
    static func isSocket(_ path: String) -> Bool {
        let words = path.split(separator: "/")
        return words.count > 2 && words[words.count - 3].hasPrefix(prefix) && path.hasSuffix(socketName)
    }

    /// Ends the programs and removes the directory.
    func end() {
        for program in programs.reversed() { program.end() }
        programs = []
        Self.remove(directory)
    }

    private static func newDirectory(in parent: String) throws -> (String, DirectoryLock) {
        while true {
            let directory = try TemporaryFiles.newDirectory(prefix, in: parent)
            do {
                let lock = try DirectoryLock(directory)
                if isLockable(directory) { return (directory, lock) }
            } catch is DirectoryLock.Held {
                // Another sandbox has taken it for an abandoned one, because it was not locked yet.
            }
        }
    }

    /// Removes the directories of sandboxes that were killed: no process has their lock.
    private static func removeAbandoned(in parent: String) {
        for name in DirectoryNames.of(parent) where name.hasPrefix(prefix + ".") && isLockable("\(parent)/\(name)") {
            guard let lock = try? DirectoryLock("\(parent)/\(name)") else { continue }
            remove("\(parent)/\(name)")
            withExtendedLifetime(lock) {}
        }
    }

    private static func isLockable(_ directory: String) -> Bool {
        access("\(directory)/\(DirectoryLock.fileName)", F_OK) == 0
    }

    private static func remove(_ directory: String) {
        var removal = ProgramStart("rm", arguments: ["rm", "-rf", "--", directory])
        removal.searchesPath = true
        var status: Int32 = 0
        if let pid = try? removal.start() { waitpid(pid, &status, 0) }
    }

    private func start(_ servers: [SandboxServer], _ wish: SandboxLogin.Wish) throws {
        let running = try servers.map { server in
            try start(
                HelperProgram.path(beside: "relativity-sample-server"),
                server.arguments + ["--port", "0", "--data-dir", "\(directory)/\(server.name)", "--write-logins"],
                log: server.name
            )
        }
        // Named, so that the files of the administrator are left out.
        let configuration = try ProtectedDirectory("\(directory)/config/relativityd", creating: true)
        let endpoints = try ProtectedDirectory("\(directory)/config/endpoints.d", creating: true)
        try AtomicFile.write([], to: "relativityd.toml", in: configuration)
        let daemon = try start(
            HelperProgram.path(beside: "relativityd"),
            [
                "--config", configuration.path(of: "relativityd.toml"), "--endpoints", endpoints.path,
                "--loopback-only",
            ],
            log: "relativityd"
        )
        let client = try daemon.wait { _ in try? DaemonClient(socket: directory + Self.socketName) }
        // The daemon has made the directory of the socket.
        let socket = directory + Self.dataSocketName
        let data = try start(HelperProgram.path(of: "relativityd-data"), ["serve", "--socket", socket], log: "data")
        // A key file opens the vault without a prompt. It contains no valuable secret.
        _ = try client.call(
            CredentialsAPI.InitCall(provider: "key-file", insecureKeyFile: true),
            within: DaemonClient.slow
        )
        for (server, program) in zip(servers, running) {
            let address = try program.wait { output -> String? in
                guard output.contains("\ndatabase ") else { return nil }
                return output.firstMatch(of: /listening on (\S+)/).map { String($0.1) }
            }
            _ = try client.call(RegistryAPI.AddCall(name: server.name, address: address))
            // A connection ends with its secrets, so each login has its own.
            try store(
                try logins(of: server).chosen(wish),
                of: server.name,
                DaemonClient(socket: directory + Self.socketName)
            )
        }
        try data.wait { _ in access(socket, F_OK) == 0 ? () : nil }
    }

    private func start(_ path: String, _ arguments: [String], log: String) throws -> BackgroundProgram {
        let program = try BackgroundProgram(
            path,
            arguments,
            environment: environment,
            log: "\(directory)/\(log).log"
        )
        programs.append(program)
        return program
    }

    private func logins(of server: SandboxServer) throws -> [SandboxLogin] {
        let text = TextFile.read("\(directory)/\(server.name)/logins.json", maximumBytes: Self.mostBytes) ?? ""
        return try (JSONValue(parsing: text).arrayValue ?? []).compactMap { try $0.objectValue.map(SandboxLogin.init) }
    }

    private func store(_ login: SandboxLogin?, of name: String, _ client: DaemonClient) throws {
        guard let login else { return }
        let identity = try RegistryAPI.Identity.fetch(name, client)
        let call = CredentialsAPI.AddLoginCall(
            endpoint: name,
            name: name,
            user: login.user,
            domain: login.domain,
            schema: login.schema,
            pin: identity.fingerprint,
            allowPlaintext: true
        )
        var password = Array(login.password.utf8)
        _ = try password.withUnsafeMutableBytes { bytes in
            try client.call(call, secrets: [UnsafeRawBufferPointer(bytes)])
        }
        self.login = self.login ?? name
    }
}
