// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import EventLoops
import Glibc
import JSON
import LocalAPI
import NIOCore
import NIOPosix
import Platform

/// Runs one job of relctl, which is on standard input.
enum JobProcess {
    /// The verbs that may change something at a server. After a signal, a call that was sent has an unknown outcome, which
    /// the user must know.
    private static let changing: Set<DataJob.Verb> = [
        .edit, .importRows, .copy, .apply, .briefcase, .commandRun, .call,
    ]
    /// The time that such a verb has after a signal.
    private static let grace = Duration.seconds(2)

    /// - Returns: the exit status.
    /// - Throws: any error, for `DataFailure`.
    static func run() throws -> Int32 {
        let text = try OpenFile.readAll(STDIN_FILENO, path: "-", maximumBytes: DataJob.limits.bytes)
        let job = try DataJob(parsing: text)
        job.input.setProcessZone()
        do {
            return try job.verb == .browse ? BrowseLoop.run(job) : run(job)
        } catch {
            DataFailure(error).report(isVerbose: job.output.isVerbose)
        }
    }

    private static func run(_ job: DataJob) throws -> Int32 {
        // Before the other threads begin, which inherit that the signals are blocked.
        let isChanging = changing.contains(job.verb)
        let endsCleanly = isChanging || [.watch, .export].contains(job.verb)
        let signals = endsCleanly ? try HeldSignals([SIGINT, SIGTERM, SIGHUP]) : nil
        // The job has a thread of its own, because writing to standard output blocks. The other thread reads meanwhile,
        // so that the idle timeout counts only the time in which the helper waits for a server.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (loop, connections) = (group.next(), group.next())
        let promise = loop.makePromise(of: Int32.self)
        // The only place where the main thread starts async code, and waits for it.
        let task = Task(executorPreference: LoopExecutor(loop)) {
            do {
                promise.succeed(try await JobRunner(job, connectionsOn: connections).run())
            } catch {
                promise.fail(error)
            }
        }
        guard let signals else {
            if endsWithReader(job) { try awaitEnd(of: promise.futureResult) }
            return try promise.futureResult.wait()
        }
        let signal = try awaitEnd(of: promise.futureResult, or: signals, within: isChanging ? grace : nil) {
            task.cancel()
        }
        guard signal != 0 else { return try promise.futureResult.wait() }
        do {
            return try promise.futureResult.wait() == EXIT_SUCCESS ? EXIT_SUCCESS : 128 + signal
        } catch {
            if error is ApplyFailure { DataFailure(error).write() }
            return 128 + signal
        }
    }

    private static var never: ContinuousClock.Instant { .now + .seconds(1 << 32) }

    /// Whether a job only reads, and may work for long before it writes again. It ends when no process reads its output
    /// any longer.
    private static func endsWithReader(_ job: DataJob) -> Bool {
        switch job.verb {
        case .get, .count: true
        case .sql: job.rows.isLocal || !job.sources.isEmpty
        default: false
        }
    }

    /// Waits until a job has ended. Ends the process if no process reads standard output any longer, which is no failure.
    private static func awaitEnd(of job: EventLoopFuture<Int32>) throws {
        let end = try StopSignal()
        job.whenComplete { _ in end.give() }
        // poll(2) reports a closed pipe also if it is asked for no event.
        let waited = StopSignal.wait(for: 0, of: STDOUT_FILENO, or: end, until: never)
        if waited == .ready { exit(EXIT_SUCCESS) }
    }

    /// Waits until a job has ended. The first signal cancels it, the second one ends the process.
    ///
    /// - Parameter grace: the time after which the first signal ends the process too, because the job may wait for its input
    ///   or for a server; nil without a limit.
    /// - Returns: the signal; 0 if there was none.
    private static func awaitEnd(
        of job: EventLoopFuture<Int32>,
        or signals: HeldSignals,
        within grace: Duration?,
        cancel: () -> Void
    ) throws -> Int32 {
        let end = try StopSignal()
        job.whenComplete { _ in end.give() }
        var first: Int32 = 0
        var latest = never
        while true {
            switch StopSignal.wait(for: POLLIN, of: signals.descriptor, or: end, until: latest) {
            case .stopped: return first
            case .late: signals.take(first)
            case .ready:
                guard let signal = signals.next() else { continue }
                guard first == 0 else {
                    signals.take(signal)
                    continue
                }
                first = signal
                if let grace { latest = .now + grace }
                cancel()
            }
        }
    }
}

/// Runs the verb of a job.
struct JobRunner: Sendable {
    let job: DataJob
    /// The loop of the connections to adapters. It never blocks.
    let loop: any EventLoop
    /// The code page of each adapter: that of the job, of the endpoint, or a guess; nil for an unknown name.
    private let codePages: [CodePage?]

    init(_ job: DataJob, connectionsOn loop: any EventLoop) {
        self.job = job
        self.loop = loop
        codePages = job.adapters.map { adapter in
            (job.codePage ?? adapter.codePage).map(CodePage.named) ?? .assumed()
        }
    }

    /// The code page of 8-bit text of a server. It records whether it was used as a guess.
    ///
    /// - Throws: `DataFailure` for an unknown name.
    func codePage(_ index: Int = 0) throws -> CodePage {
        let server = try server(index)
        if let page = codePages[index] { return page }
        throw DataFailure(.usage, "no such code page: \(Printable(job.codePage ?? server.codePage ?? ""))")
    }

    /// The code page of 8-bit text in a file of the job: that of the server, so that its rows and those of the file are
    /// compared in the same one; nil without a server, for the one that the file names.
    ///
    /// - Throws: `DataFailure` for an unknown name.
    func fileCodePage() throws -> CodePage? {
        guard job.adapters.isEmpty else { return try codePage() }
        guard let name = job.codePage else { return nil }
        if let page = CodePage.named(name) { return page }
        throw DataFailure(.usage, "no such code page: \(Printable(name))")
    }

    var text: JobOutput { job.output }

    /// A server of the job.
    ///
    /// - Throws: `JSONShapeError` if the job has no such server.
    func server(_ index: Int = 0) throws(JSONShapeError) -> JobAdapter {
        guard job.adapters.indices.contains(index) else {
            throw JSONShapeError(path: "adapters", expected: .validValue)
        }
        return job.adapters[index]
    }

    /// The name of a table of the job.
    ///
    /// - Throws: `JSONShapeError` if the job has no such table.
    func table(_ index: Int = 0) throws(JSONShapeError) -> String {
        guard job.tables.indices.contains(index) else { throw JSONShapeError(path: "tables", expected: .validValue) }
        return job.tables[index]
    }

    /// A client of a server of the job.
    func adapter(_ index: Int = 0) throws -> RemoteDataAdapter {
        let adapter = try server(index)
        return try RemoteDataAdapter(
            socketPath: adapter.socket,
            service: adapter.service,
            codePage: try codePage(index),
            loop: loop,
            idleTimeout: .seconds(job.timeoutSeconds)
        )
    }

    /// - Returns: the exit status.
    func run() async throws -> Int32 {
        for adapter in job.adapters where adapter.isOtherDatabase {
            text.warn("\(Printable(adapter.name)): \(ReadNote.otherDatabase.sentence)")
        }
        do {
            return try await runVerb()
        } catch let error as BriefcaseError {
            throw failure(error)
        } catch let error as DataAdapterError where error.isRefusal {
            throw await unknownName(error) ?? error
        }
    }

    /// After a refusal, the failure for a table, a field or a data service that the server does not have; nil if it has
    /// them all.
    private func unknownName(_ error: DataAdapterError) async -> DataFailure? {
        for index in job.adapters.indices {
            if let failure = await unknownName(index, error) { return failure }
        }
        return nil
    }

    /// The tables that a job reads from a server. A comparison has one for each side, and a statement names its own.
    private func tables(of index: Int) -> [String] {
        switch job.verb {
        case .sql where job.sources.isEmpty: StatementNames.unaliased(in: job.statement ?? "")
        case .sql: job.sources.filter { Int($0.adapter) == index }.map(\.table)
        case .diff: job.tables.indices.contains(index) ? [job.tables[index]] : []
        default: job.adapters.count == 1 ? job.tables : []
        }
    }

    private func unknownName(_ index: Int, _ error: DataAdapterError) async -> DataFailure? {
        guard let server = try? server(index), let adapter = try? adapter(index) else { return nil }
        let text: String
        do {
            text = try await adapter.schema()
        } catch let refusal as DataAdapterError where refusal.isRefusal {
            guard job.adapters.count == 1, let usual = server.usualService, server.service != usual else { return nil }
            let failure = DataFailure(error)
            let name = Printable(server.service)
            return DataFailure(failure.status, "\(failure.message): perhaps there is no data service \(name)")
        } catch {
            return nil
        }
        guard let schema = try? DataSchema(parsing: text), !schema.tables.isEmpty else { return nil }
        for name in tables(of: index) {
            guard let table = schema.table(name) else { return DataFailure(noTable: name, schema) }
            let names = FieldNames(table.name, table.fields.map { DataColumn($0.name, $0.type) })
            let fields = job.rows.fields + job.rows.order.map { FieldOrder(parsing: $0).field }
            // An ambiguous name is the server's to explain.
            let unknown = fields.first { (try? names.index(of: $0)) == .some(nil) }
            if let unknown { return DataFailure(names.unknown(unknown)) }
        }
        return nil
    }

    /// Awaits calls that are made also if the task was cancelled.
    func shielded(_ calls: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: LoopExecutor(loop)) { await calls() }.value
    }

    private func runVerb() async throws -> Int32 {
        if job.rows.isExplained, [.export, .diff, .copy].contains(job.verb) {
            try await explainTables()
            return EXIT_SUCCESS
        }
        switch job.verb {
        case .edit where job.kept.use == .always, .row where job.kept.use == .always,
            .importRows where job.kept.use == .always:
            return try await keptRunner().run()
        case .list, .get, .count: try await readTables()
        case .export: try await export()
        case .virtualTables: try await writeVirtualTables()
        case .schema: try await showSchema()
        case .schemaXML: text.write(file: try await adapter().schema(), as: "schema")
        case .schemaCode: try await writeCode()
        case .clientCode: try await writeClient()
        case .sql: try await sql()
        case .commandList: try await listCommands()
        case .commandRun: try await runCommand()
        case .call: try await call()
        case .services: try await showServices()
        case .features: try await showFeatures()
        case .diff: return try await diff()
        case .copy: return try await copy()
        case .watch: try await watch()
        case .edit: return try await edit()
        case .row: try await showRow()
        case .importRows: return try await importRows()
        case .apply: return try await applyPending()
        case .pendingList: try listPending()
        case .pendingDrop: try dropPending()
        case .briefcase: return try await briefcase()
        case .browse: preconditionFailure("BrowseLoop runs it")
        }
        return EXIT_SUCCESS
    }
}
