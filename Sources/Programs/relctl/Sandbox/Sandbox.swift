// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Platform

/// A separate daemon, vault and sample server, in a directory that is removed with them.
final class Sandbox {
    /// The name of the sample server in the list, and of its login.
    static let name = "sample"

    /// The prefix of the directory's name. The daemon's socket is in this directory.
    private static let prefix = "relctl-sandbox."

    private let directory: String
    private var programs: [BackgroundProgram] = []

    /// Starts both programs and stores the sample server's login.
    init() throws {
        let environment = Environment.ofProcess()
        // Safe in /tmp too: mkdtemp(3) makes a new directory of mode 0700, and fails if another user was there first.
        var template = Array("\(environment["XDG_RUNTIME_DIR"] ?? "/tmp")/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(.failed, "cannot create a directory: \(String(cString: strerror(errno)))")
        }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        do {
            try start(path: environment["PATH"] ?? "/usr/bin:/bin")
        } catch {
            end()
            throw error
        }
    }

    /// The path of the daemon's socket.
    var socket: String { directory + Self.socketName }

    private static let socketName = "/relativityd/relativityd.sock"

    /// Whether a path is the socket of a sandbox.
    static func isSocket(_ path: String) -> Bool {
        let words = path.split(separator: "/")
        return words.count > 2 && words[words.count - 3].hasPrefix(prefix) && path.hasSuffix(socketName)
    }

    /// The state directory of the sandbox with this socket; nil if there is none.
    static func stateDirectory(of socket: String) -> String? {
        isSocket(socket) ? "\(socket.dropLast(socketName.count))/state/relativityd" : nil
    }

    /// Ends the programs and removes the directory.
    func end() {
        for program in programs.reversed() { program.end() }
        programs = []
        var removal = ProgramStart("rm", arguments: ["rm", "-rf", "--", directory])
        removal.searchesPath = true
        var status: Int32 = 0
        if let pid = try? removal.start() { waitpid(pid, &status, 0) }
    }

    private func start(path: String) throws {
        // Neither the buses nor files of the user are used, so that the sandbox is the same on every machine.
        let environment = [
            "PATH": path, "HOME": directory, "XDG_RUNTIME_DIR": directory, "XDG_DATA_HOME": "\(directory)/data",
            "XDG_CONFIG_HOME": "\(directory)/config", "XDG_STATE_HOME": "\(directory)/state",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/no-bus",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/no-bus",
        ]
        let server = try BackgroundProgram(
            "relativity-sample-server",
            ["--port", "0", "--data-dir", "\(directory)/server"],
            environment: environment,
            log: "\(directory)/server.log"
        )
        programs.append(server)
        let daemon = try BackgroundProgram(
            "relativityd",
            // The administrator's servers are left out.
            ["--endpoints", "\(directory)/endpoints.d"],
            environment: environment,
            log: "\(directory)/daemon.log"
        )
        programs.append(daemon)
        let address = try server.wait { output -> String? in
            guard output.contains("\ndatabase ") else { return nil }
            return output.firstMatch(of: /listening on (\S+)/).map { String($0.1) }
        }
        let client = try daemon.wait { _ in try? DaemonClient(socket: socket) }
        try store(address, client)
    }

    private func store(_ address: String, _ client: DaemonClient) throws {
        _ = try client.call(RegistryAPI.AddCall(name: Self.name, address: address))
        // A key file opens the vault without a prompt. It contains no valuable secret.
        _ = try client.call(
            CredentialsAPI.InitCall(provider: "key-file", insecureKeyFile: true),
            within: DaemonClient.slow
        )
        let identity = try RegistryAPI.Identity.fetch(Self.name, client)
        let login = CredentialsAPI.AddLoginCall(
            endpoint: Self.name,
            name: Self.name,
            user: "simple",
            domain: "DASamples",
            schema: "Simple",
            pin: identity.fingerprint,
            allowPlaintext: true
        )
        var password = Array("simple".utf8)
        _ = try password.withUnsafeMutableBytes { bytes in
            try client.call(login, secrets: [UnsafeRawBufferPointer(bytes)])
        }
    }
}
