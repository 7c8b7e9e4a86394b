// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform
import Varlink

/// A server of a job, and how to connect to it.
struct DataPlace: Hashable {
    /// As the user typed it; `LOGIN@ENDPOINT` is resolved by the daemon.
    let endpoint: String
    var login: String?
    var isAnonymous = false
    /// The part of the data service's name after it and a dot.
    var schema: String?
    var service: String?
    /// The directory of a grant whose socket is used; nil to open an adapter.
    var grant: String?
    /// Whether the adapter has a session of its own, which may poll for events.
    var ownsSession = false
    /// Whether the job may change something there.
    var isWriting = false
    /// Whether the job changes or keeps rows, which must come from one database.
    var keepsRows = false
    /// Whether the stack trace of a server's exception is shown.
    var isVerbose = false

    /// The same place for a job that may change something.
    var writing: DataPlace {
        var place = keeping
        place.isWriting = true
        return place
    }

    /// The same place for a job that keeps rows, or prepares a change of them.
    var keeping: DataPlace {
        var place = self
        place.keepsRows = true
        return place
    }

    /// Opens an adapter that lives as long as `body` runs.
    func open(_ output: OutputOptions, _ body: (JobAdapter, ChosenLogin?) throws -> Void) throws {
        if let grant { return try body(job(grant), nil) }
        var call = BrokerAPI.OpenCall(
            endpoint: endpoint,
            login: login,
            preferredLogin: ChosenLogin.preferred,
            anonymous: isAnonymous,
            form: "socket"
        )
        if ownsSession { call.ownSession = true }
        // Another program has no terminal for the user's input.
        if let client = ClientName.ofProcess { (call.client, call.interactive) = (client.text, true) }
        try output.client("logging in").stream(call, firstWithin: DaemonClient.interactive) { reply in
            guard !keepsRows || !reply.adapter.otherDatabase else {
                throw DaemonError.endpointUnreachable(
                    message: "the server can only be used at an address that is not agreed to have the same database",
                    endpoint: reply.adapter.endpoint
                )
            }
            let login = ChosenLogin(of: reply.adapter)
            if isWriting { login?.printNote(output.quiet) }
            let settings = RegistryAPI.GetCall(endpoint: reply.adapter.endpoint ?? endpoint)
            let record = try DaemonClient().call(settings, within: .seconds(10)).endpoint
            try body(try job(reply.adapter, record), login)
            return .stop
        }
    }

    /// The adapter of a grant. A sandboxed program has its socket and nothing else, so the settings of the server are
    /// unknown. It counts as read-only: a statement would be refused by most grants.
    private func job(_ grant: String) -> JobAdapter {
        let usual = "DataService"
        return JobAdapter(
            socket: grant + "/adapter.sock",
            service: service(usual: usual),
            name: endpoint,
            isReadOnly: true,
            usualService: usual
        )
    }

    private func service(usual: String) -> String { service ?? schema.map { "\(usual).\($0)" } ?? usual }

    private func job(_ adapter: BrokerAPI.Adapter, _ settings: RegistryAPI.Endpoint) throws -> JobAdapter {
        guard let socket = adapter.socketPath else { throw Failure(.failed, "the daemon opened no socket") }
        let usual = adapter.dataService ?? "DataService"
        return JobAdapter(
            socket: socket,
            service: service(usual: usual),
            name: adapter.endpointName ?? endpoint,
            identity: adapter.endpoint,
            login: adapter.login,
            isReadOnly: settings.readOnly,
            isOtherDatabase: adapter.otherDatabase,
            codePage: settings.codePage,
            usualService: usual
        )
    }
}

/// relctl's helper for data, which decodes messages. It gets no secret.
struct DataProgram {
    /// A helper that works on files only.
    static let withoutServer = DataProgram()

    private var adapters: [JobAdapter] = []
    /// The logins of the adapters that have one, in their order.
    var chosenLogins: [ChosenLogin] = []
    /// Whether a login of the vault is used.
    var usesLogin = false
    /// Whether the stack trace of a server's exception is shown.
    var isVerbose = false

    /// Opens adapters, and runs one job with them. Does not return, unless the adapters cannot be opened.
    ///
    /// - Parameter path: the file for the output; nil for standard output.
    static func run(
        _ job: DataJob,
        at places: [DataPlace],
        _ output: OutputOptions,
        to path: String? = nil
    ) throws {
        try with(places, output) { program in
            exit(try program.run(job, to: path))
        }
    }

    /// Calls `body` with a helper whose adapters are open until it returns.
    static func with(
        _ places: [DataPlace],
        _ output: OutputOptions,
        _ body: (DataProgram) throws -> Void
    ) throws {
        var program = DataProgram.withoutServer
        program.usesLogin = places.contains { !$0.isAnonymous && $0.grant == nil }
        program.isVerbose = places.contains(where: \.isVerbose)
        try program.opened(places[...], output, body)
    }

    private func opened(
        _ places: ArraySlice<DataPlace>,
        _ output: OutputOptions,
        _ body: (DataProgram) throws -> Void
    ) throws {
        guard let place = places.first else { return try body(self) }
        try place.open(output) { adapter, login in
            var program = self
            program.adapters.append(adapter)
            if let login { program.chosenLogins.append(login) }
            try program.opened(places.dropFirst(), output, body)
        }
    }

    /// Runs a job.
    ///
    /// - Parameter path: the file for the output; nil for standard output.
    /// - Returns: the exit status of the helper, which has printed its errors.
    func run(_ job: DataJob, to path: String?) throws -> Int32 {
        guard let path else { return try run(job) }
        return try ResultFile.replace(path) { try run(job, output: $0) }
    }

    /// - Parameter output: the descriptor for the output; nil for standard output.
    func run(_ job: DataJob, output: Int32? = nil) throws -> Int32 {
        var job = job
        job.adapters = adapters
        job.output.isVerbose = isVerbose
        let program = HelperProgram.path(of: "relativityd-data")
        do {
            let running = try RunningProgram([program, "run"], input: job.text, output: output, endsWithRelctl: true)
            return status(after: running.waitForEnd())
        } catch let error as ProgramNotStarted {
            let reason = String(cString: strerror(error.errno))
            throw Failure(.failed, "cannot run '\(Printable(program))', a helper of relctl: \(reason)")
        }
    }

    /// Runs a job and returns its output.
    ///
    /// - Throws: a failure if the job fails; the helper has printed the reason.
    func capture(_ job: DataJob, maximumBytes: Int) throws -> [UInt8] {
        let (status, bytes) = try output(of: job, maximumBytes: maximumBytes)
        guard status == ExitStatus.done.rawValue else { throw Failure(.failed, "the schema was not read") }
        return bytes
    }

    /// Runs a job.
    ///
    /// - Returns: the exit status of the helper, which has printed its errors, and its output.
    func output(of job: DataJob, maximumBytes: Int) throws -> (status: Int32, bytes: [UInt8]) {
        let directory = TemporaryFiles.directory
        let file = try TemporaryFiles.unnamed(in: directory)
        defer { close(file) }
        let status = try run(job, output: file)
        guard lseek(file, 0, SEEK_SET) == 0 else {
            throw PlatformError.system(call: "lseek", subject: directory, errno: errno)
        }
        return (status, try OpenFile.readAll(file, path: "output", maximumBytes: maximumBytes))
    }

    /// Adds the next step to the helper's error about another identity.
    private func writeIdentityHint() {
        guard adapters.count == 1, let adapter = adapters.first, let identity = adapter.identity else { return }
        let record = try? DaemonClient().call(RegistryAPI.GetCall(endpoint: identity)).endpoint
        // A new pin does not change whose process answers.
        let isOtherUser = record?.stateReason?.code == .otherUser
        let hint: Hint = isOtherUser ? "relctl doctor \(adapter.name)" : "relctl endpoint repin \(adapter.name)"
        Terminal.writeError(hint.line)
    }

    /// The exit status after that of a helper. Both of these mean that nothing was changed, so that the user may unlock the
    /// vault and repeat the command. The vault may have been locked meanwhile: the adapter ends then, or refuses calls.
    private func status(after helper: Int32) -> Int32 {
        let status = ExitStatus(rawValue: helper)
        if status == .identityConflict { writeIdentityHint() }
        guard [.notSent, .unreachable].contains(status) else { return helper }
        if usesLogin, let state = try? CredentialsAPI.Vault.fetch(DaemonClient()).state,
            state == .locked || state == .sealed
        {
            return ExitStatus.vaultLocked.rawValue
        }
        return status == .notSent ? ExitStatus.failed.rawValue : helper
    }
}
