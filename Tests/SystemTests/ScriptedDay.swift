// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A day with relativityd that records all output of processes: printed text and logs, files, arguments and
/// environments, core files, the traffic of the local API and that of the server. `steps` are its events.
final class ScriptedDay {
    struct Step {
        let name: String
        let run: (ScriptedDay) async throws -> Void
    }

    let deployment = Deployment()
    let oldPassphrase = Canary("old-passphrase")
    let newPassphrase = Canary("new-passphrase")
    let secondPassphrase = Canary("second-passphrase")
    let wrongPassphrase = Canary("wrong-passphrase")
    let password = Canary("password")
    let refusedPassword = Canary("refused-password")
    let editedPassword = Canary("edited-password")
    /// The current passphrase of the vault.
    lazy var passphrase = oldPassphrase
    /// The recovery code as relctl has written it; nil until there is one.
    var recoveryCode: Canary?
    /// The secrets that the user types during the day.
    var typed: [Canary] {
        [oldPassphrase, newPassphrase, secondPassphrase, wrongPassphrase, password, refusedPassword, editedPassword]
    }
    /// These secrets, and the code in the forms that programs derive from it.
    var secrets: [Canary] { typed + (recoveryCode.map { [$0, $0.withoutDashes, $0.decodedCode] } ?? []) }

    /// The output of programs so far.
    private(set) var shown: [UInt8] = []
    /// Secrets that were found in the daemon's memory after a lock.
    var memoryHits: [String] = []
    var searchedMemory = (places: 0, bytes: 0)
    /// Secrets that the same search has found during a login.
    var memoryHitsInUse: [String] = []

    var daemon: Supervised?
    private(set) var server: (program: Supervised, port: Int)?
    /// The port at which the server's traffic is recorded.
    private(set) var recordedPort = 0
    private var helpers: [ChildProcess] = []

    /// A directory that is not searched: the secrets belong there.
    private let apart = TemporaryDirectory()

    var wire: String { apart.path(of: "wire") }
    var codeFile: String { apart.path(of: "code") }
    var secretTraffic: String { apart.path(of: "api/secrets") }
    var processes: String { deployment.home.path(of: "processes") }
    var cores: String { deployment.home.path(of: "cores") }

    init() {
        for name in ["config", "config/relativityd", "cores", "tmp", "api"] {
            mkdir(deployment.home.path(of: name), 0o700)
        }
        mkdir(apart.path(of: "api"), 0o700)
        // Root can read secrets in this memory, unlike in memfd_secret, so the search would find them.
        deployment.home.write(Array("[vault]\nmemory = \"mlock\"\n".utf8), to: "config/relativityd/relativityd.toml")
    }

    func run(_ steps: [Step]) async throws {
        let sampler = try await helper("sample_processes.py", [processes], ready: "ready")
        try await startDaemon()
        let started = try await deployment.startServer(["--any-password"])
        server = started
        let recorded = try await helper("record.py", ["\(started.port)", wire], ready: nil)
        recordedPort = try #require(Int(recorded.answer))
        _ = try await helper(
            "record_api.py",
            [apiSocket, deployment.socket, apart.path(of: "api")],
            ready: "ready"
        )
        try await relctl("add", "sample", "127.0.0.1:\(recordedPort)")
        for step in steps {
            do {
                try await step.run(self)
            } catch {
                Issue.record("\(step.name): \(error)")
                throw error
            }
        }
        try await daemon?.end()
        try await server?.program.end()
        sampler.program.closeInput()
        for program in helpers {
            program.closeInput()
            _ = program.wait()
        }
        shown +=
            TextFile.bytes(of: apart.path(of: "api/to-client")) + TextFile.bytes(of: apart.path(of: "api/to-daemon"))
        deployment.home.write(shown, to: "shown")
    }

    /// Runs a verb through the recorder of the API, and records its output.
    @discardableResult
    func relctl(_ arguments: String..., input: String = "", status: Int32 = 0) async throws -> Command.Output {
        try await run("relctl", arguments, input: input, status: status)
    }

    /// Runs one of the programs to its end, and records its output.
    @discardableResult
    func run(
        _ program: String,
        _ arguments: [String],
        input: String = "",
        status: Int32 = 0
    ) async throws -> Command.Output {
        let command = Command([Products.path(of: program)] + arguments, environment: environment)
        let output = try await command.run(input: input)
        shown += Array((output.standardOutput + output.standardError).utf8)
        #expect(output.status == status, "\(program) \(arguments): \(output)")
        return output
    }

    /// Starts a verb whose output is of no interest.
    func begin(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess([Products.path(of: "relctl")] + arguments, environment: environment)
    }

    /// Starts a verb that keeps running, and records its first line of output.
    func hold(_ arguments: String...) async throws -> (program: ChildProcess, line: JSONObject) {
        let program = try ChildProcess([Products.path(of: "relctl")] + arguments, environment: environment)
        for await line in program.outputLines(silence: .seconds(30)) {
            shown += Array(line.utf8)
            return (program, try #require(try JSONValue(parsing: line).objectValue))
        }
        throw NotInTime(seconds: 30)
    }

    func keep(_ bytes: [UInt8]) { shown += bytes }

    /// Starts the daemon in a directory in which a crash may leave a core file. Only the daemon's own limit applies.
    func startDaemon() async throws {
        let script = "ulimit -c unlimited; cd \"$0\" && exec \"$@\""
        let program = try Supervised(
            ["sh", "-c", script, cores, Products.path(of: "relativityd"), "--log-level", "trace"],
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=yes,color=no"]) { $1 },
            log: deployment.daemonLog
        )
        daemon = program
        try await eventually { try await self.deployment.relctl("version").status == 0 }
    }

    func daemonPid() async throws -> Int {
        Int(try #require(try await deployment.json("status").objectValue).integer("pid"))
    }

    private var apiSocket: String { deployment.home.path(of: "api/socket") }

    /// The environment of the daemon and of verbs.
    var environment: [String: String] {
        deployment.environment.merging(
            ["RELATIVITYD_SOCKET": apiSocket, "TMPDIR": deployment.home.path(of: "tmp")]
        ) { $1 }
    }

    private func helper(
        _ script: String,
        _ arguments: [String],
        ready: String?
    ) async throws -> (program: ChildProcess, answer: String) {
        let program = try ChildProcess([Sources.python, "\(Sources.root)/Tests/Tools/\(script)"] + arguments)
        helpers.append(program)
        for await line in program.outputLines(silence: .seconds(30)) {
            try #require(ready == nil || line == ready)
            return (program, line)
        }
        throw NotInTime(seconds: 30)
    }
}
