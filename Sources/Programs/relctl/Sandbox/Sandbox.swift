// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
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
        let arguments = ["rm", "-rf", "--", directory]
        let words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        var status: Int32 = 0
        if posix_spawnp(&pid, "rm", nil, nil, words, environ) == 0 { waitpid(pid, &status, 0) }
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

struct SandboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a program with a separate daemon, vault and sample server.",
        discussion: """
            For testing tools without a server, a login or configuration, and without using the user's vault. The \
            program, and relctl in it, find the daemon through RELATIVITYD_SOCKET. The sample server is in its list as \
            'sample', with a login of the same name, which RELATIVITYD_LOGIN makes the default. Everything is removed \
            when the program exits. This is not a security boundary: the program can access everything that the user \
            can.
            """
    )

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after '--'.")
    var program: [String] = []

    func validate() throws {
        if program.isEmpty { throw ValidationError("missing program after '--'") }
    }

    func run() throws {
        // Signals that arrive before the program runs are forwarded to it, so that the sandbox is always removed.
        RunningProgram.holdSignals()
        let sandbox = try Sandbox()
        setenv("RELATIVITYD_SOCKET", sandbox.socket, 1)
        let running = Result {
            try RunningProgram(program, variables: [(ChosenLogin.Chooser.environment.rawValue, Sandbox.name)])
        }
        let status = running.map { $0.waitForEnd() }
        sandbox.end()
        do {
            Glibc.exit(try status.get())
        } catch let error as ProgramNotStarted {
            error.report()
        }
    }
}

/// A background process of relctl, which ends when relctl ends or is killed.
final class BackgroundProgram {
    /// The timeout for starting and for ending.
    static let patience = Duration.seconds(10)

    private let name: String
    private let log: String
    private let pid: pid_t
    private var isEnded = false

    /// Starts a program in relctl's directory.
    ///
    /// - Parameters:
    ///   - environment: the complete environment.
    ///   - log: the file for its output, which is overwritten.
    /// - Throws: `Failure`
    init(_ name: String, _ arguments: [String] = [], environment: [String: String], log: String) throws {
        self.name = name
        self.log = log
        // The kernel sends SIGTERM if relctl is killed and cannot end the program itself.
        let words = ["setpriv", "--pdeathsig", "TERM", "--", HelperProgram.path(beside: name)] + arguments
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let argv = words.map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }

        // In its own process group, so that Ctrl-C reaches only the program in the sandbox.
        let attributes = SpawnAttributes(restoring: [SIGPIPE], ownGroup: true)
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
        var pid = pid_t()
        let status = attributes.withPointer { posix_spawnp(&pid, words[0], &files, $0, argv, envp) }
        guard status == 0 else {
            throw Failure(.failed, "cannot run 'setpriv': \(String(cString: strerror(status)))")
        }
        self.pid = pid
    }

    /// Waits until `condition` returns a value for the output so far.
    ///
    /// - Returns: the value of `condition`.
    /// - Throws: `Failure` with the last line of the output, if the program ended or the timeout is over.
    func wait<Value>(until condition: (String) throws -> Value?) throws -> Value {
        let end = ContinuousClock.now + Self.patience
        while true {
            if let value = try condition(output) { return value }
            var status: Int32 = 0
            isEnded = waitpid(pid, &status, WNOHANG) == pid
            guard !isEnded, ContinuousClock.now < end else {
                let last = output.split(separator: "\n").last.map(String.init) ?? "no output"
                throw Failure(.failed, "\(name) \(isEnded ? "has ended" : "is not ready"): \(Printable(last))")
            }
            poll(nil, 0, 10)
        }
    }

    /// Sends SIGTERM, and SIGKILL after the timeout.
    func end() {
        guard !isEnded else { return }
        kill(pid, SIGTERM)
        let end = ContinuousClock.now + Self.patience
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            if ContinuousClock.now > end { kill(pid, SIGKILL) }
            poll(nil, 0, 10)
        }
        isEnded = true
    }

    private var output: String { TextFile.read(log, maximumBytes: 1 << 20) ?? "" }
}
