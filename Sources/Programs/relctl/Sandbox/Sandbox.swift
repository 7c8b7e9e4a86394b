// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform

/// A separate daemon, vault, Data API and sample servers, in directories that are removed with them. The sockets have a
/// short path in the runtime directory. It may be a small file system in memory, so the data is not there.
final class Sandbox {
    private static let mostBytes = 1 << 20

    private let sockets: SandboxDirectory
    private let files: SandboxDirectory
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
        let runtime = own.privateTemporaryDirectory
        let forSockets = access(runtime, W_OK | X_OK) == 0 ? runtime : own.temporaryDirectory
        let forFiles =
            own["TMPDIR"] == nil && access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : own.temporaryDirectory
        for parent in Set([forSockets, forFiles]) { SandboxDirectory.removeAbandoned(in: parent) }
        sockets = try SandboxDirectory(in: forSockets)
        do {
            files = try SandboxDirectory(in: forFiles)
        } catch {
            sockets.remove()
            throw error
        }
        let directory = sockets.path
        // Neither the buses nor files of the user are used, so that the sandbox is the same on every machine.
        environment = [
            "PATH": own["PATH"] ?? "/usr/bin:/bin", "HOME": directory, "TMPDIR": own.temporaryDirectory,
            "XDG_RUNTIME_DIR": directory, Directories.variable: directory,
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/no-bus",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/no-bus",
        ]
        do {
            try linkFiles()
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
            (Directories.variable, sockets.path), (SocketPath.environmentVariable, sockets.path + Self.socketName),
            (SocketPath.dataVariable, sockets.path + Self.dataSocketName),
            (ChosenLogin.Chooser.environment.rawValue, login ?? ""),
        ] + AdapterVariables.Name.allCases.map { ($0.rawValue, "") }
    }

    private static let socketName = "/relativityd/relativityd.sock"
    private static let dataSocketName = "/relativityd/data.sock"

    /// Whether a path is the daemon's socket in a sandbox.
    static func isSocket(_ path: String) -> Bool {
        let words = path.split(separator: "/")
        guard words.count > 2, path.hasSuffix(socketName) else { return false }
        return words[words.count - 3].hasPrefix(SandboxDirectory.prefix)
    }

    /// Ends the programs and removes the directories.
    func end() {
        for program in programs.reversed() { program.end() }
        programs = []
        for directory in [sockets, files] { directory.remove() }
    }

    /// Puts the directories of the daemon that grow into that of the files.
    private func linkFiles() throws {
        for name in ["data", "state"] {
            try ProtectedDirectory.create("\(files.path)/\(name)")
            guard symlink("\(files.path)/\(name)", "\(sockets.path)/\(name)") == 0 else {
                throw PlatformError.system(call: "symlink", subject: "\(sockets.path)/\(name)", errno: errno)
            }
        }
    }

    private func start(_ servers: [SandboxServer], _ wish: SandboxLogin.Wish) throws {
        let running = try servers.map { server in
            try start(
                HelperProgram.path(beside: "relativity-sample-server"),
                server.arguments + ["--port", "0", "--data-dir", "\(files.path)/\(server.name)", "--write-logins"],
                log: server.name
            )
        }
        // Named, so that the files of the administrator are left out.
        let configuration = try ProtectedDirectory("\(sockets.path)/config/relativityd", creating: true)
        let endpoints = try ProtectedDirectory("\(sockets.path)/config/endpoints.d", creating: true)
        try AtomicFile.write([], to: "relativityd.toml", in: configuration)
        let daemon = try start(
            HelperProgram.path(beside: "relativityd"),
            [
                "--config", configuration.path(of: "relativityd.toml"), "--endpoints", endpoints.path,
                "--loopback-only",
            ],
            log: "relativityd"
        )
        let client = try daemon.wait { _ in try? DaemonClient(socket: sockets.path + Self.socketName) }
        // The daemon has made the directory of the socket.
        let socket = sockets.path + Self.dataSocketName
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
                DaemonClient(socket: sockets.path + Self.socketName)
            )
        }
        try data.wait { _ in access(socket, F_OK) == 0 ? () : nil }
    }

    private func start(_ path: String, _ arguments: [String], log: String) throws -> BackgroundProgram {
        let program = try BackgroundProgram(
            path,
            arguments,
            environment: environment,
            log: "\(files.path)/\(log).log"
        )
        programs.append(program)
        return program
    }

    private func logins(of server: SandboxServer) throws -> [SandboxLogin] {
        let text = TextFile.read("\(files.path)/\(server.name)/logins.json", maximumBytes: Self.mostBytes) ?? ""
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
